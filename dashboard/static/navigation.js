// The links to the pages. The server draws another page for a step through the browser's history, and so for a link: it
// is made such a step. What they are is made by navigation.py. Streamlit's own links in a page go the same way: by themselves
// they take along what the widgets say that are in sight, and leave out what those of a closed group say.

import { unsaid } from "./live.js"

let root = "/"

export function draw({ parentElement, data }) {
  root = data.root
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

addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-testid=stPageLink-NavLink]")
  if (!link) return
  follow(event, link)
  if (event.defaultPrevented) event.stopPropagation()
}, true)

function group({ title, links }) {
  const made = (tag, properties) => Object.assign(document.createElement(tag), properties)
  const list = made("div", { role: "group", ariaLabel: title })
  list.append(...links.map(({ title }) => made("a", { textContent: title, onclick: (event) => follow(event, event.currentTarget) })))
  return [made("p", { textContent: title, ariaHidden: "true" }), list]
}

function follow(event, link) {
  // Into another tab or window, as the browser does it.
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  // Streamlit's link to the first page has a query and no path, which would be a link to the page that is shown.
  const target = new URL(link.getAttribute("href"), new URL(root, location.href))
  takeAlong(target)
  history.pushState(null, "", target)
  dispatchEvent(new PopStateEvent("popstate"))
  document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0)
  // On a phone the sidebar lies over the page that was asked for.
  if (innerWidth <= 640) document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click()
}

// The links are as old as the page. What was moved or typed since, and not heard yet, goes along.
function takeAlong(target) {
  for (const [name, text] of Object.entries(unsaid())) {
    if (text) target.searchParams.set(name, text)
    else target.searchParams.delete(name)
  }
  // Of fewer units the last one is inspected.
  const [k, j] = ["k", "j"].map((name) => Number(target.searchParams.get(name) ?? 0))
  if (k && j > k) target.searchParams.set("j", k)
  // What is embedded stays so.
  const here = new URLSearchParams(location.search)
  for (const name of ["embed", "embed_options"].filter((name) => here.has(name))) {
    target.searchParams.delete(name)
    for (const text of here.getAll(name)) target.searchParams.append(name, text)
  }
}
