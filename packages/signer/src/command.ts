/**
 * `npm run signer -- new
 * xpub
 * list
 * pin
 * sign`: the signer at a shell, on a machine that may have no network. The recovery phrase is typed, never passed as an
 * argument, and stored nowhere.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { JobRefused, readJob } from './job.ts'
import { addPin, type Pins, readAddress, readPins, usualMostFee } from './pins.ts'
import { newPhrase, openSeed, readPhrase, type Seed } from './seed.ts'
import { selfTest } from './self-test.ts'
import { explainJob, signJob } from './sign-job.ts'

const USAGE = `Use: npm run signer -- new
     npm run signer -- xpub [--path "m/44'/60'/0'"]
     npm run signer -- list [--first 0] [--count 1000] [--out solana-addresses.json]
     npm run signer -- pin --network 31337 --vault 0x… --collector 0x… [--fee 20000000000000000] [--pins FILE]
       (of TRON: T… and sun)
     npm run signer -- sign JOB.json [--out signatures.json] [--pins FILE]`

const ACCOUNT = "m/44'/60'/0'"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    path: { type: 'string', default: ACCOUNT },
    network: { type: 'string' },
    vault: { type: 'string' },
    collector: { type: 'string' },
    first: { type: 'string', default: '0' },
    count: { type: 'string', default: '1000' },
    fee: { type: 'string' },
    pins: { type: 'string' },
    out: { type: 'string' },
  },
})

const terminal = { isMuted: false }
const output = new Writable({
  write(chunk: Buffer, _encoding, done) {
    if (!terminal.isMuted) process.stderr.write(chunk)
    done()
  },
})
const reader = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY })
const lines = reader[Symbol.asyncIterator]()

process.exitCode = await run().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  return 1
})
reader.close()

async function run(): Promise<number> {
  selfTest()
  const [what, file] = positionals
  if (what === 'new') return makePhrase()
  if (what !== 'xpub' && what !== 'list' && what !== 'pin' && what !== 'sign') {
    console.error(USAGE)
    return 2
  }
  const seed = await askSeed()
  if (what === 'xpub') console.log(`${values.path} of ${seed.fingerprint}: ${seed.xpub(values.path)}`)
  else if (what === 'list') list(seed)
  else if (what === 'pin') pin(seed)
  else await sign(seed, file)
  return 0
}

async function makePhrase(): Promise<number> {
  const added = await ask('Press keys at random, or type what your dice show, then Enter: ', 'shown')
  console.log(newPhrase(added))
  console.log('Write these 24 words down, in this order, and keep them from every network. They are shown once.')
  return 0
}

/** The list goes to the server. It holds no secret, but shows which addresses belong together. */
function list(seed: Seed): void {
  const made = seed.addressList({ first: Number(values.first), count: Number(values.count) })
  const file = values.out ?? 'solana-addresses.json'
  writeFileSync(file, `${JSON.stringify(made)}\n`)
  console.log(
    `${made.addresses.length} addresses of ${seed.fingerprint}, the first ${made.addresses[0]?.address}: ${file}`,
  )
}

function pin(seed: Seed): void {
  const places = [values.vault, values.collector].map((text) => readAddress(text ?? ''))
  const [vault, collector] = places
  const chainId = Number(values.network)
  if (!vault || !collector || !Number.isSafeInteger(chainId) || chainId < 1) throw new Error(USAGE)
  const mostFee = String(BigInt(values.fee ?? usualMostFee(vault)))
  const added = addPin(pinsOf(seed), { chainId, vault, collector, mostFee })
  writeFileSync(fileOf(seed), `${JSON.stringify(added, null, 2)}\n`, { mode: 0o600 })
  console.log(`Network ${chainId} of ${seed.fingerprint}: vault ${vault}, collector ${collector}`)
}

async function sign(seed: Seed, file: string | undefined): Promise<void> {
  if (file === undefined) throw new Error(USAGE)
  const job = readJob(readFileSync(file, 'utf8'))
  const pins = pinsOf(seed)
  for (const { address, path, does, refusal } of explainJob(job, pins, seed)) {
    console.log(`${address} (${path}): ${refusal === null ? does : `REFUSED. ${refusal}`}`)
  }
  const signed = signJob(job, pins, seed)
  const answer = await ask(`Sign ${signed.signatures.length} of ${job.asset}? Type yes: `, 'shown')
  if (answer.trim() !== 'yes') throw new JobRefused('Nothing was signed.')
  const out = values.out ?? 'signatures.json'
  writeFileSync(out, `${JSON.stringify(signed, null, 2)}\n`)
  console.log(`Signed: ${out}`)
}

function pinsOf(seed: Seed): Pins {
  const file = fileOf(seed)
  return readPins(existsSync(file) ? readFileSync(file, 'utf8') : null, seed.fingerprint)
}

function fileOf({ fingerprint }: Seed): string {
  return values.pins ?? `kassa-pins-${fingerprint}.json`
}

async function askSeed(): Promise<Seed> {
  const phrase = readPhrase(await ask('Recovery phrase: ', 'hidden'))
  if (phrase === null) throw new Error('These are no recovery words: check their spelling and order.')
  return openSeed(phrase)
}

/** Asks for one line; a secret is not echoed. */
async function ask(question: string, echo: 'shown' | 'hidden'): Promise<string> {
  process.stderr.write(question)
  terminal.isMuted = echo === 'hidden'
  const { value = '' } = await lines.next()
  if (terminal.isMuted && process.stdin.isTTY) process.stderr.write('\n')
  terminal.isMuted = false
  return String(value)
}
