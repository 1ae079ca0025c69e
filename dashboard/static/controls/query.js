// @ts-check
// The query of a URL, without a browser.

/** @import { Changes, Run, SidebarData } from "../types.js" */

// Streamlit keeps these parameters for itself: no run sees them.
/** @type {(name: string) => boolean} */
export const isOfStreamlit = (name) => ["embed", "embed_options"].includes(name.toLowerCase())

// The example of a URL that names none and is not bare.
export const DEFAULT_EXAMPLE = "lab"

// Returns the parts of a query (`?...`) after some changes. Unchanged parameters stay byte for byte. The key is the name; a repeated
// parameter has its name and a number.
/** @type {(search: string, changes: Changes) => Map<string, string>} */
export function queryParts(search, changes) {
  /** @type {Map<string, string>} */
  const parts = new Map()
  search.slice(1).split("&").filter(Boolean).forEach((part, index) => {
    const [[name]] = new URLSearchParams(`?${part}`)
    if (!parts.has(name)) parts.set(name, part)
    else if (!(name in changes)) parts.set(`${name} ${index}`, part)
  })
  for (const [name, text] of Object.entries(changes)) {
    if (text === null) parts.delete(name)
    else parts.set(name, `${name}=${encodeURIComponent(text)}`)
  }
  return parts
}

// Returns the query of a URL after some changes. A bare URL means the page's own example, so the first change names the example.
/** @type {(location: { pathname: string, search: string }, changes: Changes, run: Run | null) => string} */
export function query(location, changes, run) {
  const parts = queryParts(location.search, changes)
  if (run && !("example" in changes)) nameExample(parts, exampleOf(location, run), pageOf(location.pathname, run.examples), run)
  return [...parts.values()].join("&")
}

// Returns the worked example of a URL. The run may be for another URL: it says only what bare URLs mean.
/** @type {(location: { pathname: string, search: string }, run: Run) => string} */
export function exampleOf({ pathname, search }, run) {
  // Only the run of this URL can tell that there is no such example.
  const isRefused = run.opening.includes("example") && isOf({ pathname, search }, run)
  const named = isRefused ? null : new URLSearchParams(search).get("example")
  return named ?? (isBare(queryParts(search, {}), run) ? run.examples[pageOf(pathname, run.examples)] : DEFAULT_EXAMPLE)
}

// Returns the text of a setting in the URL, which leaves out a default.
/** @type {(text: string | null, standard: string | undefined) => string | null} */
export function unlessDefault(text, standard) {
  return text === standard ? null : text
}

// Returns the query of a link to a page, which takes the settings of a URL along. Until the reader has changed a number or chosen
// an example, each page opens on its own one. On a page without an example, one was chosen only if the URL names it.
/** @type {(location: { pathname: string, search: string }, page: string, changes: Changes, data: Pick<SidebarData, "url" | "screen" | "numbers">) => string} */
export function queryOfLink(location, page, changes, { url: run, screen, numbers }) {
  const parts = queryParts(location.search, { ...changes, ...Object.fromEntries(["example", ...screen].map((name) => [name, null])) })
  const here = exampleOf(location, run)
  const isNamed = new URLSearchParams(location.search).has("example")
  const isOwn = run.first.includes(here) || (!isNamed && here === run.examples[pageOf(location.pathname, run.examples)])
  if (numbers.some((name) => parts.has(name))) nameExample(parts, here, page, run)
  else if (isOwn) nameExample(parts, run.examples[page], page, run)
  else parts.set("example", `example=${encodeURIComponent(here)}`)
  return [...parts.values()].join("&")
}

// Names the example if the page would start from another one without it.
/** @type {(parts: Map<string, string>, example: string, page: string, run: Run) => void} */
function nameExample(parts, example, page, run) {
  if (example === DEFAULT_EXAMPLE && (!isBare(parts, run) || run.examples[page] === DEFAULT_EXAMPLE)) return
  for (const key of parts.keys()) if (key.startsWith("example ")) parts.delete(key)
  parts.set("example", `example=${encodeURIComponent(example)}`)
}

/** @type {(parts: Map<string, string>, run: Run) => boolean} */
function isBare(parts, { opening }) {
  const names = [...parts.keys()].map((key) => key.split(" ")[0])
  return names.every((name) => opening.includes(name) || isOfStreamlit(name))
}

// Returns the names and texts of a query that a run sees.
/** @type {(search: string) => string[][]} */
export function pairsOf(search) {
  return [...new URLSearchParams(search)].filter(([name]) => !isOfStreamlit(name))
}

// Whether a run has read this URL.
/** @type {(location: { pathname: string, search: string }, run: Run) => boolean} */
export function isOf({ pathname, search }, { page, query, examples }) {
  const there = pairsOf(search)
  const sorted = (/** @type {string[][]} */ pairs) => JSON.stringify(pairs.map((pair) => pair.join("=")).sort())
  return pageOf(pathname, examples) === page && sorted(there) === sorted(query)
}

// Returns the path of the page as the server names it, without the path of the app.
/** @type {(pathname: string, examples: Run["examples"]) => string} */
export function pageOf(pathname, examples) {
  const last = pathname.replace(/\/+$/, "").split("/").at(-1) ?? ""
  return last in examples ? last : ""
}
