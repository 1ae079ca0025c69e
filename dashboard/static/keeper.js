// Keeps in this tab of the browser the arrays that an address cannot carry, each under the digest by which the address
// names it, and tells the server what it has and what it lacks.

const PREFIX = "cellscope "

export default function ({ data: { texts, here, wanted }, setTriggerValue }) {
  const needed = [...here, ...wanted]
  const full = Object.keys(texts).filter((digest) => !put(digest, texts[digest], needed))
  const lacks = here.filter((digest) => !full.includes(digest) && !keyOf(digest))
  const found = wanted.filter(keyOf)
  const lost = wanted.filter((digest) => !keyOf(digest))
  if (![full, lacks, found, lost].some((digests) => digests.length)) return
  const by = (digests, value) => Object.fromEntries(digests.map((digest) => [digest, value(digest)]))
  setTriggerValue("answer", {
    full: by(full, () => true),
    lacks: by(lacks, () => true),
    found: by(found, (digest) => btoa(sessionStorage.getItem(keyOf(digest)))),
    lost: by(lost, () => true),
  })
}

// Ours, from the oldest to the newest. A browser may allow no storage, as in a frame on another site's page.
function keys() {
  try {
    return Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX)).sort()
  } catch {
    return []
  }
}

function keyOf(digest) {
  return keys().find((key) => key.endsWith(` ${digest}`))
}

// Whether there is room for it; the oldest that the address does not name make way.
function put(digest, text, needed) {
  if (keyOf(digest)) return true
  const others = keys().filter((key) => !needed.some((digest) => key.endsWith(` ${digest}`)))
  for (;;) {
    try {
      // Every character counts, whatever it is: base64 would take a third more of them.
      sessionStorage.setItem(`${PREFIX}${Date.now()} ${digest}`, atob(text))
      return true
    } catch {
      if (!others.length) return false
      sessionStorage.removeItem(others.shift())
    }
  }
}
