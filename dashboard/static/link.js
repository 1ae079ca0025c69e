// Loads a module and all that it imports, every file with the digest that this one was asked for with: after an upgrade
// no browser pairs an old file with a new one. From file to file an import would lose the digest; so each is fetched
// with it, and what imports it is given the address of what was fetched.

const { search: digest } = new URL(import.meta.url)
const addresses = new Map()

export async function load(file) {
  return import(await addressOf(file))
}

function addressOf(file) {
  if (!addresses.has(file)) {
    const address = linked(file)
    addresses.set(file, address)
    address.catch(() => addresses.delete(file)) // so that it is tried again
  }
  return addresses.get(file)
}

// No module may import one that imports it: both would wait for the other.
async function linked(file) {
  const url = new URL(file + digest, import.meta.url)
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url} cannot be fetched: ${answer.status}`)
  const source = await answer.text()
  const imported = Array.from(source.matchAll(/ from "\.\/(\w+\.js)"$/gm), ([, file]) => file)
  const found = await Promise.all(imported.map(addressOf))
  const text = imported.reduce((text, file, index) => text.replace(`"./${file}"`, `"${found[index]}"`), source)
  return URL.createObjectURL(new Blob([text, `//# sourceURL=${url}\n`], { type: "text/javascript" }))
}
