import { type Destination, isSameAccount, type PermissionFault } from '@kassa/keys/evm/permission.ts'
import type { SignatureJson } from '@kassa/keys/evm/permission-json.ts'
import { describeAsked, faultOfAsked, signAsked, spelledFor } from './asked.ts'
import { type Job, type JobItem, JobRefused } from './job.ts'
import type { Pin, Pins } from './pins.ts'
import type { Seed } from './seed.ts'

/** What signing one item would do, read from the signed bytes and not from the job's description. */
export type Explained = {
  readonly address: string
  readonly path: string
  readonly does: string
  /** Why it is not signed; null when it is. */
  readonly refusal: string | null
}

/** The file that goes back to Kassa (K16). */
export type SignatureFile = {
  readonly batchID: string
  readonly signatures: readonly (SignatureJson & { readonly addressID: number })[]
}

/** Explains each item of a job. @throws JobRefused when its network is not pinned */
export function explainJob(job: Job, pins: Pins, seed: Seed): Explained[] {
  const destination = destinationOf(job, pins)
  return job.items.map((item) => {
    const { asked, path } = item
    const does = describeAsked(asked, destination)
    return { address: asked.permission.from, path, does, refusal: refusalOf(item, destination, seed) }
  })
}

/**
 * Signs a whole job or nothing: one item that does something else shows that the job was manipulated, and the others may be
 * too.
 * @throws JobRefused
 */
export function signJob(job: Job, pins: Pins, seed: Seed): SignatureFile {
  const destination = destinationOf(job, pins)
  const refusal = job.items.map((item) => refusalOf(item, destination, seed)).find((one) => one !== null)
  if (refusal) throw new JobRefused(`Nothing was signed. ${refusal}`)
  const signatures = job.items.map(({ addressID, path, asked }) =>
    seed.withKey(path, (key) => ({ addressID, ...signAsked(asked, destination, key) })),
  )
  return { batchID: job.batchID, signatures }
}

/** @throws JobRefused while no vault and collector are pinned for this network */
function destinationOf(job: Job, pins: Pins): Destination {
  const pin = pinOf(job, pins)
  if (!pin) throw new JobRefused(`Enter the vault and the collector of network ${job.chainId} first.`)
  const { vault, collector, mostFee } = pin
  return { chainId: BigInt(job.chainId), token: job.token, vault, collector, mostFee: BigInt(mostFee) }
}

/** Finds what is pinned for the network of a job. */
export function pinOf({ chainId }: Pick<Job, 'chainId'>, { chains }: Pins): Pin | undefined {
  return chains.find((pin) => pin.chainId === chainId)
}

const FAULTS: Readonly<Record<PermissionFault, string>> = {
  chain: 'It is for another network.',
  token: 'It is about another token.',
  call: 'It does something else than allowing your vault to collect.',
  spender: 'It would let somebody else than your vault take the token.',
  delegate: 'It would give the address code that does not belong to your vault.',
  receiver: 'It would send the coins to somebody else than your collector.',
  amount: 'It allows another amount than what is asked for.',
  value: 'It would move an amount that it must not.',
  nonce: 'It has another number than a first permission has.',
  fee: 'Its network fee may be more than you allowed.',
  signer: 'It is of another address.',
  signature: 'It cannot be signed.',
}

function refusalOf({ path, asked }: JobItem, destination: Destination, seed: Seed): string | null {
  const { from } = asked.permission
  const fault = faultOfAsked(asked, destination)
  if (fault !== null) return `${from}: ${FAULTS[fault]}`
  const own = seed.withKey(path, (_, publicKey) => spelledFor(asked, publicKey))
  if (isSameAccount(own, from)) return null
  return `${from}: this seed has ${own} at ${path}. Is it the seed of another wallet?`
}
