// @ts-check
// The sidebar: the links to the pages and the shared settings. A link to a page takes along the settings that the URL has
// when you click it.

import { make, part } from "../elements.js"
import { drawControls, removeControls } from "./controls.js"
import { takePending } from "./pending_values.js"
import { isOfStreamlit, queryOfLink } from "./query.js"
import * as url from "./url.js"

/** @import { Changes, Component, Links, PageGroup, SidebarData } from "../types.js" */

/** @type {Links | null} */
let links = null // on the page, with the data of the run that drew them
/** @type {WeakMap<Element, string>} */
const listed = new WeakMap() // the titles of the links, by the element of all links

/** @type {(component: Component<SidebarData>) => void} */
export function draw({ parentElement, data }) {
  url.arrived(data.url, data.changed)
  const nav = part(parentElement, "nav")
  const titles = data.pages.map(({ title, links }) => [title, ...links.map(({ title }) => title)]).join("\n")
  if (listed.get(nav) !== titles) nav.replaceChildren(...data.pages.flatMap(group))
  listed.set(nav, titles)
  links = { nav, data, pages: data.pages.flatMap(({ links }) => links) }
  write()
  // For tests: the URL of the last run.
  nav.dataset.page = data.url.page
  nav.dataset.query = JSON.stringify(data.url.query)
  drawControls(part(parentElement, ".controls"), data)
}

/** @type {(component: Component<SidebarData>) => void} */
export function unmount({ parentElement }) {
  removeControls(parentElement)
}

url.listen("change", write)

// Updates the links in place, so that the focus stays.
function write() {
  if (!links) return
  const { nav, pages, data } = links
  nav.querySelectorAll("a").forEach((element, index) => {
    element.href = urlOf(data, pages[index].path, {})
    element.ariaCurrent = pages[index].path === data.url.page ? "page" : null
  })
}

/** @type {(group: PageGroup) => HTMLElement[]} */
function group({ title, links }) {
  const list = make("div", { role: "group", ariaLabel: title })
  list.append(...links.map(({ title, path }) => make("a", { textContent: title, onclick: goOnClick(path) })))
  return [make("p", { textContent: title, ariaHidden: "true" }), list]
}

/** @type {(path: string) => (event: MouseEvent) => void} */
function goOnClick(path) {
  return (event) => open(event, () => (links ? urlOf(links.data, path, takePending()) : path))
}

// Returns the URL of a page with the current settings and some changes.
/** @type {(data: SidebarData, path: string, changed: Changes) => string} */
function urlOf(data, path, changed) {
  const search = queryOfLink(location, path, changed, data)
  return `${data.url.root}${path}${search && `?${search}`}`
}

// Streamlit's own links in a page, such as those of worked examples, bring their own settings.
addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("[data-testid=stPageLink-NavLink]")
  if (!link || !links) return
  // Streamlit's link to the first page has a query but no path, which the browser would resolve to the current page.
  const target = new URL(link.getAttribute("href") ?? "", new URL(links.data.url.root, location.href))
  // An embedded page stays embedded.
  for (const name of [...target.searchParams.keys()].filter(isOfStreamlit)) target.searchParams.delete(name)
  for (const [name, text] of url.params()) if (isOfStreamlit(name)) target.searchParams.append(name, text)
  open(event, () => {
    takePending() // the target has its own settings
    return target
  })
  if (event.defaultPrevented) event.stopPropagation()
}, true)

/** @type {(event: MouseEvent, target: () => string | URL) => void} */
function open(event, target) {
  // The browser itself opens a link in another tab or window.
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  url.visit(target)
  // On a phone the sidebar covers the page, so close it.
  /** @type {HTMLElement | null} */
  const close = document.querySelector("[data-testid=stSidebarCollapseButton] button")
  if (innerWidth <= 640) close?.click()
}
