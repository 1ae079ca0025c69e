// The query of a URL.

import assert from "node:assert/strict"
import test from "node:test"
import { exampleOf, isOf, pageOf, query, queryOfLink, queryParts } from "../../dashboard/static/controls/query.js"

const RUN = {
  page: "lstm",
  query: [["k", "3"]],
  example: "lab",
  examples: { "": "lab", lstm: "memory" },
  first: ["memory"],
  opening: ["stage", "view"],
  root: "/",
}
const parts = (search, changes) => [...queryParts(search, changes).values()].join("&")

test("what does not change stays byte for byte, in its order", () => {
  assert.equal(parts("?a=%41+b&c=&d", {}), "a=%41+b&c=&d")
  assert.equal(parts("?a=1&b=2&c=3", { b: "x" }), "a=1&b=x&c=3")
  assert.equal(parts("?a=1&&b=2", { c: null }), "a=1&b=2")
})

test("a new parameter comes last, and its text is encoded", () => {
  assert.equal(parts("?a=1", { word: "ä b&c" }), "a=1&word=%C3%A4%20b%26c")
  assert.equal(parts("", { k: "2" }), "k=2")
})

test("null removes a parameter, also one that occurs twice", () => {
  assert.equal(parts("?a=1&k=2&k=3&b=4", { k: null }), "a=1&b=4")
  assert.equal(parts("?a=1&k=2&k=3", { k: "5" }), "a=1&k=5")
})

test("a parameter that occurs twice stays as it is while another one changes", () => {
  assert.equal(parts("?k=2&k=3&a=1", { a: "2" }), "k=2&k=3&a=2")
})

const at = (pathname, search) => ({ pathname, search })

test("the first change of a bare URL names the example of the page", () => {
  assert.equal(query(at("/lstm", ""), { k: "4" }, RUN), "k=4&example=memory")
  assert.equal(query(at("/lstm", "?example=gate"), { k: "4" }, RUN), "example=gate&k=4")
  assert.equal(query(at("/lstm", "?k=3"), { k: "4" }, RUN), "k=4")
  assert.equal(query(at("/lstm", ""), { k: "4" }, null), "k=4")
})

test("what leaves a URL bare needs the lab's name where the page has an example of its own", () => {
  assert.equal(query(at("/lstm", "?k=3"), { k: null, stage: "f" }, RUN), "stage=f&example=lab")
  assert.equal(query(at("/lstm", "?k=3&embed=true"), { k: null }, RUN), "embed=true&example=lab")
  assert.equal(query(at("/", "?k=3"), { k: null, stage: "f" }, RUN), "stage=f")
})

test("a link with an unknown example keeps the example that its page shows instead", () => {
  const opened = { ...RUN, query: [["example", "gat"]], example: "memory", opening: ["example", "stage", "view"] }
  assert.equal(query(at("/lstm", "?example=gat"), { k: "4" }, opened), "example=memory&k=4")
  assert.equal(query(at("/lstm", "?example=gat"), { k: null, example: "gate" }, opened), "example=gate")
})

test("a repeated example and parameters with other letters mean what they mean to the server", () => {
  const opened = { ...RUN, query: [["example", "gate"], ["example", "gat"]], example: "memory", opening: ["example", "stage", "view"] }
  assert.equal(query(at("/lstm", "?example=gate&example=gat"), { k: "4" }, opened), "example=memory&k=4")
  assert.equal(query(at("/lstm", "?Embed=true"), { k: "4" }, RUN), "Embed=true&k=4&example=memory")
  assert.equal(exampleOf(at("/lstm", "?example=%67ate"), RUN), "gate")
  assert.equal(query(at("/lstm", "?example=a%26b"), { k: "4" }, RUN), "example=a%26b&k=4")
  assert.equal(query(at("/lstm", "?%6B=3&m=2"), { k: "4" }, RUN), "k=4&m=2")
})

test("a change before the run for the URL has come keeps the example of the URL", () => {
  const stale = { ...RUN, query: [["example", "gate"]], example: "gate" }
  assert.equal(exampleOf(at("/lstm", "?k=3"), stale), "lab")
  assert.equal(query(at("/lstm", "?k=3"), { k: "4" }, stale), "k=4")
  assert.equal(query(at("/", ""), { k: "4" }, stale), "k=4")
  assert.equal(query(at("/lstm", ""), { k: "4" }, { ...stale, page: "" }), "k=4&example=memory")
})

test("a link to a page takes numbers and a chosen example along, and else opens the page's own example", () => {
  const run = { ...RUN, examples: { ...RUN.examples, gru: "gate", practice: "lab" }, first: ["memory", "gate"] }
  const link = (from, search, to, changes = {}) =>
    queryOfLink(at(from, search), to, changes, { url: { ...run, page: from.slice(1) }, screen: ["edit"], numbers: ["k"] })
  assert.equal(link("/lstm", "", "gru"), "example=gate")
  assert.equal(link("/lstm", "?example=memory&decimals=3&edit=true", "gru"), "decimals=3&example=gate")
  assert.equal(link("/lstm", "?example=memory&k=4", "gru"), "k=4&example=memory")
  assert.equal(link("/lstm", "?example=memory", "gru", { k: "4" }), "k=4&example=memory")
  assert.equal(link("/lstm", "?k=4", "gru"), "k=4")
  assert.equal(link("/lstm", "?example=lab", "gru"), "example=lab")
  assert.equal(link("/lstm", "?decimals=3", "gru"), "decimals=3&example=lab")
  for (const search of ["", "level=2"]) assert.equal(link("/practice", `?${search}`, "gru"), [search, "example=gate"].filter(Boolean).join("&"))
  assert.equal(link("/lstm", "", "practice"), "")
  assert.equal(link("/lstm", "?example=lab", "practice"), "example=lab")
  assert.equal(link("/practice", "?example=lab", "gru"), "example=lab")
})

test("a run is of a URL with the same page and the same parameters, in any order", () => {
  const run = { ...RUN, query: [["k", "3"], ["word", "a b"]] }
  assert.ok(isOf({ pathname: "/lstm", search: "?word=a+b&k=3" }, run))
  assert.ok(isOf({ pathname: "/class/lstm/", search: "?word=a%20b&k=3&EMBED=true&embed_options=x" }, run))
  assert.ok(!isOf({ pathname: "/", search: "?word=a+b&k=3" }, run))
  assert.ok(!isOf({ pathname: "/lstm", search: "?word=a+b&k=3&k=3" }, run))
  assert.ok(!isOf({ pathname: "/lstm", search: "?word=a+b" }, run))
})

test("the page is the last part of the path, behind the path of the app", () => {
  assert.equal(pageOf("/", RUN.examples), "")
  assert.equal(pageOf("/lstm", RUN.examples), "lstm")
  assert.equal(pageOf("/class/lstm//", RUN.examples), "lstm")
  assert.equal(pageOf("/class/", RUN.examples), "")
})
