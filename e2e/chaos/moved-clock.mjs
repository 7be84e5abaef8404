/** Loaded before a process (`--import`): its clock is off by the milliseconds that the file in CHAOS_CLOCK holds. */
import { readFileSync, writeFileSync } from 'node:fs'

const file = process.env.CHAOS_CLOCK ?? ''
let shift = Number.NaN

/** Takes over what the file says, and says so in the file beside it. */
function look() {
  const next = Number(readFileSync(file, 'utf8'))
  if (next === shift) return
  shift = next
  writeFileSync(`${file}.seen`, String(shift))
}

look()
setInterval(look, 50).unref()

const RealDate = Date
const now = () => RealDate.now() + shift

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
