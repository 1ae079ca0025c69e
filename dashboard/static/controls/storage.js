// @ts-check
// Stores in this tab (sessionStorage) the arrays that do not fit in the URL, each under its digest in the URL, and tells the
// server which arrays it has and which it lacks.

/** @import { Component, StorageData } from "../types.js" */

const PREFIX = "cellscope "

/** @type {(component: Component<StorageData>) => void} */
export function draw({ data: { texts, here, wanted }, setTriggerValue }) {
  const needed = [...here, ...wanted]
  const full = Object.keys(texts).filter((digest) => !put(digest, texts[digest], needed))
  const lacks = here.filter((digest) => !full.includes(digest) && !keyOf(digest))
  const found = wanted.filter((digest) => keyOf(digest))
  const lost = wanted.filter((digest) => !keyOf(digest))
  if (![full, lacks, found, lost].some((digests) => digests.length)) return
  /** @type {(digests: string[], value: (digest: string) => string | true) => Record<string, string | true>} */
  const by = (digests, value) => Object.fromEntries(digests.map((digest) => [digest, value(digest)]))
  setTriggerValue("answer", {
    full: by(full, () => true),
    lacks: by(lacks, () => true),
    found: by(found, (digest) => btoa(sessionStorage.getItem(keyOf(digest) ?? "") ?? "")),
    lost: by(lost, () => true),
  })
}

// Returns our keys from the oldest to the newest. A browser may forbid storage, for example in a frame on another site's page.
/** @type {() => string[]} */
function keys() {
  try {
    return Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX)).sort()
  } catch {
    return []
  }
}

/** @type {(digest: string) => string | undefined} */
function keyOf(digest) {
  return keys().find((key) => key.endsWith(` ${digest}`))
}

// Stores a text and returns whether there was room; if needed, removes the oldest texts that the URL does not name.
/** @type {(digest: string, text: string, needed: string[]) => boolean} */
function put(digest, text, needed) {
  if (keyOf(digest)) return true
  const others = keys().filter((key) => !needed.some((digest) => key.endsWith(` ${digest}`)))
  for (;;) {
    try {
      // Decoded, because each character counts, and base64 has a third more of them.
      sessionStorage.setItem(`${PREFIX}${Date.now()} ${digest}`, atob(text))
      return true
    } catch {
      const oldest = others.shift()
      if (oldest === undefined) return false
      sessionStorage.removeItem(oldest)
    }
  }
}

export function unmount() {}
