// How the picture follows a dial that is dragged. The dials ask for a picture of where they are: of the server itself, at an
// address that the page gave to the picture, or where there is none of the page, which then runs for it. Two requests at a time:
// so the server draws one while the browser still has to do with the one before. Of more at once the server would draw what is
// old before it is seen, and a request costs the browser as much as an answer.

const MOST = 2
// In milliseconds: an answer that takes longer than the first has one request at a time, and one that takes longer than the
// second, as over a lost connection, is not waited for.
const SLOW = 150
const LOST = 3000

let isAnswered = false // by anything at all: where there is no picture there is nothing to wait for
let open = [] // the requests that are not answered yet, and when they were asked
let isSlow = false
let next = null

let dials = null // of the page that is shown: what they can be asked to do
let live = null // where a picture of them is asked for, and who draws it
let line = null // to there

// What is clicked is about the picture that is seen: the dials say where they are before it is asked for, or the server
// would answer for where they were.
export function sayFirst() {
  dials?.leave()
}

// What the dials have not said yet, for who says it in their place.
export function unsaid() {
  return dials?.takeUnsaid() ?? {}
}

export function listen(to) {
  dials = to
}

// ---- requests ----

export function ask(request) {
  open.push({ request, at: performance.now() })
}

// A later answer is one to all requests before it: Streamlit leaves out what is already old.
function answered(request) {
  isAnswered = true
  isSlow = open.some((asked) => asked.request === request && performance.now() - asked.at > SLOW)
  open = open.filter((asked) => asked.request > request)
  const go = next
  next = null
  go?.()
}

export function isBusy() {
  open = open.filter(({ at }) => performance.now() - at < LOST)
  return isAnswered && open.length >= (isSlow ? 1 : MOST)
}

export function whenFree(go) {
  next = go
  setTimeout(() => next === go && answered(Infinity), LOST)
}

// ---- pictures ----

// The page ran, and what it drew is there. It is of more than the dials, and holds against what was asked for before.
export function ran(request, address, draw) {
  live = address && { address, draw }
  if (line?.address !== address) hangUp()
  line?.asked.fill(null)
  answered(request)
  dials?.again()
}

export function gone(draw) {
  if (live?.draw === draw) live = null
}

// Whether a picture of what the dials say is asked for at an address.
export function askPicture(said, request) {
  if (!live) return false
  line ??= call(live.address)
  ask(request)
  line.asked.push(request)
  line.say(JSON.stringify(said))
  return true
}

function call(address) {
  const socket = new WebSocket(new URL(address, location.href).href.replace("http", "ws"))
  const unsaid = []
  const line = { address, socket, asked: [], say: (text) => (socket.readyState === WebSocket.OPEN ? socket.send(text) : unsaid.push(text)) }
  socket.onopen = () => unsaid.forEach((text) => socket.send(text))
  socket.onmessage = ({ data }) => {
    const request = line.asked.shift()
    if (request) live?.draw(JSON.parse(data))
    answered(request)
  }
  // A server that has been started anew knows no such address: the page does, once it runs.
  socket.onclose = () => {
    live = null
    line = null
  }
  return line
}

function hangUp() {
  if (!line) return
  line.socket.onclose = null
  line.socket.close()
  line = null
}
