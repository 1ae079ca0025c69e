// The links to the pages. The server draws another page for a step through the browser's history, and so for a link: it
// is made such a step. What they are is made by navigation.py.

import { sayFirst } from "./live.js"

export function draw({ parentElement, data }) {
  const nav = parentElement.querySelector("nav")
  const titles = data.groups.map(({ title, links }) => [title, ...links.map(({ title }) => title)]).join("\n")
  if (nav.listed !== titles) nav.replaceChildren(...data.groups.flatMap(group))
  nav.listed = titles
  const links = data.groups.flatMap(({ links }) => links)
  // In place: a link that has the focus keeps it.
  nav.querySelectorAll("a").forEach((element, index) => {
    element.href = links[index].address
    element.ariaCurrent = links[index].is_here ? "page" : null
  })
}

export function unmount() {}

function group({ title, links }) {
  const made = (tag, properties) => Object.assign(document.createElement(tag), properties)
  const list = made("div", { role: "group", ariaLabel: title })
  list.append(...links.map(({ title }) => made("a", { textContent: title, onclick: follow })))
  return [made("p", { textContent: title, ariaHidden: "true" }), list]
}

function follow(event) {
  // Into another tab or window, as the browser does it.
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  const target = new URL(event.currentTarget.href)
  takeAlong(target)
  history.pushState(null, "", target)
  dispatchEvent(new PopStateEvent("popstate"))
  document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0)
}

// The links are as old as the page. What was moved or typed since, and not heard yet, goes along.
function takeAlong(target) {
  const before = new URLSearchParams(location.search)
  sayFirst()
  const now = new URLSearchParams(location.search)
  for (const name of new Set([...before.keys(), ...now.keys()])) {
    if (before.get(name) === now.get(name)) continue
    if (now.has(name)) target.searchParams.set(name, now.get(name))
    else target.searchParams.delete(name)
  }
}
