import { type Job, JobRefused, readJob } from '../src/job.ts'
import { addPin, type Pins, readAddress, readPins, usualMostFee } from '../src/pins.ts'
import { newPhrase, openSeed, readPhrase, type Seed } from '../src/seed.ts'
import { selfTest } from '../src/self-test.ts'
import { explainJob, pinOf, signJob } from '../src/sign-job.ts'
import { element, onPress, say } from './elements.ts'
import { listenForJobs, sendSigned } from './frame.ts'

const state: { seed: Seed | null; pins: Pins | null; job: Job | null } = { seed: null, pins: null, job: null }

/** The families whose deposit addresses it signs for: EVM networks and TRON. */
const ACCOUNTS = { EVM: "m/44'/60'/0'", TRON: "m/44'/195'/0'" } as const

try {
  selfTest()
} catch (error) {
  element('signer', HTMLElement).hidden = true
  throw error
} finally {
  say('problem', element('signer', HTMLElement).hidden ? 'The self-test failed: do not use this file.' : '')
}

onPress('make', () => {
  const phrase = newPhrase(element('dice', HTMLTextAreaElement).value)
  say('made', phrase)
  element('phrase', HTMLTextAreaElement).value = phrase
})

onPress('open', () => {
  const field = element('phrase', HTMLTextAreaElement)
  const phrase = readPhrase(field.value)
  if (phrase === null) throw new Error('These are no recovery words: check their spelling and order.')
  const seed = openSeed(phrase)
  field.value = ''
  say('made', '')
  state.seed = seed
  state.pins = readPins(stored(seed.fingerprint), seed.fingerprint)
  say('fingerprint', seed.fingerprint)
  element('opened', HTMLElement).hidden = false
  element('closed', HTMLElement).hidden = true
  show()
})

onPress('close', () => {
  Object.assign(state, { seed: null, pins: null })
  element('opened', HTMLElement).hidden = true
  element('closed', HTMLElement).hidden = false
})

onPress('show-xpub', () => {
  const { seed } = requireOpen()
  say(
    'xpub',
    Object.entries(ACCOUNTS)
      .map(([name, path]) => `${name}, ${path}: ${seed.xpub(path)}`)
      .join('\n'),
  )
})

onPress('make-list', () => {
  const { seed } = requireOpen()
  const [first = 0, count = 0] = ['list-first', 'list-count'].map((id) => Number(element(id, HTMLInputElement).value))
  const list = seed.addressList({ first, count })
  const link = element('download-list', HTMLAnchorElement)
  link.href = `data:application/json,${encodeURIComponent(JSON.stringify(list))}`
  link.hidden = false
  say('listed', `${list.addresses.length} addresses, the first ${list.addresses[0]?.address}`)
})

onPress('pin', () => {
  const { pins } = requireOpen()
  const value = (id: string) => element(id, HTMLInputElement).value
  const [vault, collector] = [readAddress(value('vault')), readAddress(value('collector'))]
  if (!vault || !collector) throw new Error('Enter the vault and the collector as your own records have them.')
  if (vault === collector) throw new Error('Vault and collector are two addresses.')
  if (!state.job) throw new Error('Load a job first: it names the network.')
  state.pins = addPin(pins, { chainId: state.job.chainId, vault, collector, mostFee: usualMostFee(vault) })
  store(state.pins)
  show()
})

onPress('sign', () => {
  const { seed, pins } = requireOpen()
  if (!state.job) throw new Error('Load a job first.')
  const file = JSON.stringify(signJob(state.job, pins, seed), null, 2)
  const link = element('download', HTMLAnchorElement)
  link.href = `data:application/json,${encodeURIComponent(file)}`
  link.hidden = false
  say('done', `${state.job.items.length} signed.`)
  sendSigned(file)
})

element('job', HTMLInputElement).addEventListener('change', (event) => {
  const [file] = event.target instanceof HTMLInputElement ? (event.target.files ?? []) : []
  void file?.text().then(load)
})

listenForJobs(load)

function load(text: string): void {
  say('problem', '')
  say('done', '')
  try {
    state.job = readJob(text)
    show()
  } catch (error) {
    state.job = null
    say('problem', error instanceof JobRefused ? error.message : 'This is no job file.')
  }
}

function requireOpen(): { readonly seed: Seed; readonly pins: Pins } {
  if (!state.seed || !state.pins) throw new Error('Enter the recovery phrase first.')
  return { seed: state.seed, pins: state.pins }
}

/** Shows what the job does, once there is a seed to compare it with and the network is pinned. */
function show(): void {
  const { job, seed, pins } = state
  say('loaded', job ? `Batch ${job.batchID}: ${job.items.length} × ${job.asset}, network ${job.chainId}` : '')
  const pin = job && pins ? pinOf(job, pins) : undefined
  element('unpinned', HTMLElement).hidden = !job || !seed || pin !== undefined
  say('pinned', pin ? `Vault ${pin.vault}, collector ${pin.collector}` : '')
  const rows = job && seed && pins && pin ? explainJob(job, pins, seed) : []
  element('sign', HTMLButtonElement).disabled = rows.length === 0 || rows.some(({ refusal }) => refusal !== null)
  element('items', HTMLElement).replaceChildren(
    ...rows.map(({ address, path, does, refusal }) => {
      const row = document.createElement('li')
      row.textContent = `${address} (${path}): ${refusal === null ? does : `Refused. ${refusal}`}`
      if (refusal !== null) row.className = 'refused'
      return row
    }),
  )
}

/** A sandboxed page has no storage, so the vault and the collector are entered each time. */
function stored(fingerprint: string): string | null {
  try {
    return localStorage.getItem(`kassa-pins-${fingerprint}`)
  } catch {
    return null
  }
}

function store(pins: Pins): void {
  try {
    localStorage.setItem(`kassa-pins-${pins.fingerprint}`, JSON.stringify(pins))
  } catch {
    // They are entered again next time.
  }
}
