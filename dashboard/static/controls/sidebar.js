// The sidebar: the links to the pages and the shared settings. A link to a page takes along the settings that the URL has
// when you click it.

import { drawBoard, leave, take } from "./controls.js"
import * as url from "./url.js"

let links = null // the links on the page, and the data of the run that drew them

export function draw({ parentElement, data }) {
  const isNow = url.arrived(data.url)
  url.apply(data.changed)
  const nav = parentElement.querySelector("nav")
  const titles = data.pages.map(({ title, links }) => [title, ...links.map(({ title }) => title)]).join("\n")
  if (nav.listed !== titles) nav.replaceChildren(...data.pages.flatMap(group))
  nav.listed = titles
  links = { nav, data, pages: data.pages.flatMap(({ links }) => links) }
  write()
  // For tests: the URL of the last run.
  nav.dataset.page = data.url.page
  nav.dataset.query = JSON.stringify(data.url.query)
  drawBoard(parentElement.querySelector(".controls"), data.groups, isNow)
}

export function unmount({ parentElement }) {
  leave(parentElement.querySelector(".controls"))
}

url.listen("change", write)

// Updates the links in place, so that the focus stays.
function write() {
  links?.nav.querySelectorAll("a").forEach((element, index) => {
    element.href = urlOf(links.pages[index].path, {})
    element.ariaCurrent = links.pages[index].path === links.data.url.page ? "page" : null
  })
}

function group({ title, links }) {
  const made = (tag, properties) => Object.assign(document.createElement(tag), properties)
  const list = made("div", { role: "group", ariaLabel: title })
  const follow = (path) => (event) => open(event, () => urlOf(path, take()))
  list.append(...links.map(({ title, path }) => made("a", { textContent: title, onclick: follow(path) })))
  return [made("p", { textContent: title, ariaHidden: "true" }), list]
}

// Returns the URL of a page with the current settings and some changes. Until you have changed a number, each page opens on
// its own example.
function urlOf(path, changed) {
  const { screen, numbers, url: { own, first, root, example } } = links.data
  const parts = url.written({ ...changed, ...Object.fromEntries(screen.map((name) => [name, null])) })
  const here = parts.get("example")?.split("=")[1] ?? example
  const isOwn = first.includes(here) && !numbers.some((name) => parts.has(name))
  parts.delete("example")
  url.name(parts, isOwn ? own[path] : here, path)
  const search = [...parts.values()].join("&")
  return `${root}${path}${search && `?${search}`}`
}

// Streamlit's own links in a page, such as those of worked examples, bring their own settings.
addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-testid=stPageLink-NavLink]")
  if (!link || !links) return
  // Streamlit's link to the first page has a query but no path, which the browser would resolve to the current page.
  const target = new URL(link.getAttribute("href"), new URL(links.data.url.root, location.href))
  // An embedded page stays embedded.
  const here = url.params()
  for (const name of ["embed", "embed_options"].filter((name) => here.has(name))) {
    target.searchParams.delete(name)
    for (const text of here.getAll(name)) target.searchParams.append(name, text)
  }
  open(event, () => target)
  if (event.defaultPrevented) event.stopPropagation()
}, true)

function open(event, target) {
  // The browser itself opens a link in another tab or window.
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  url.visit(target)
  // On a phone the sidebar covers the page, so close it.
  if (innerWidth <= 640) document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click()
}
