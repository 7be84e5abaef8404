import { type Destination, faultOf, isSameAccount, type PermissionFault } from '@kassa/keys/evm/permission.ts'
import { type SignatureJson, signatureJson } from '@kassa/keys/evm/permission-json.ts'
import { signPermission } from '@kassa/keys/evm/permission-signing.ts'
import { type Job, type JobItem, JobRefused } from './job.ts'
import type { Pin, Pins } from './pins.ts'
import type { Seed } from './seed.ts'

/** What signing one item would do, read out of what is signed and not out of what the job says of it. */
export type Explained = {
  readonly address: string
  readonly path: string
  readonly does: string
  /** Why it is not signed; null where it is. */
  readonly refusal: string | null
}

/** The file that goes back to Kassa (K16). */
export type SignatureFile = {
  readonly batchID: string
  readonly signatures: readonly (SignatureJson & { readonly addressID: number })[]
}

/** Says what each item of a job does. @throws JobRefused when its network is not pinned */
export function explainJob(job: Job, pins: Pins, seed: Seed): Explained[] {
  const destination = destinationOf(job, pins)
  return job.items.map((item) => {
    const { permission, path } = item
    const does = describe(item, destination)
    return { address: permission.from, path, does, refusal: refusalOf(item, destination, seed) }
  })
}

/**
 * Signs a job, all of it or nothing: one item that does something else means that somebody made it, and not what else they made.
 * @throws JobRefused
 */
export function signJob(job: Job, pins: Pins, seed: Seed): SignatureFile {
  const destination = destinationOf(job, pins)
  const refusal = job.items.map((item) => refusalOf(item, destination, seed)).find((one) => one !== null)
  if (refusal) throw new JobRefused(`Nothing was signed. ${refusal}`)
  const signatures = job.items.map(({ addressID, path, permission }) =>
    seed.withKey(path, (key) => {
      const signed = signPermission(permission, destination, key)
      return { addressID, ...signatureJson(permission, signed) }
    }),
  )
  return { batchID: job.batchID, signatures }
}

/** @throws JobRefused when nobody has said yet where money on this network goes */
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

function refusalOf({ path, permission }: JobItem, destination: Destination, seed: Seed): string | null {
  const fault = faultOf(permission, destination)
  if (fault !== null) return `${permission.from}: ${FAULTS[fault]}`
  const own = seed.withKey(path, (_, address) => address)
  if (isSameAccount(own, permission.from)) return null
  return `${permission.from}: this seed has ${own} at ${path}. Is it the seed of another wallet?`
}

function describe({ permission }: JobItem, { collector }: Destination): string {
  switch (permission.kind) {
    case 'approve_tx':
    case 'transfer_tx': {
      const { tx } = permission
      const fee = `network fee at most ${coins(tx.gas * tx.feeCap)}`
      if (permission.kind === 'transfer_tx') return `Sends ${coins(tx.value)} to ${tx.to ?? 'nobody'}; ${fee}`
      return `Lets ${spenderIn(tx.data)} take all of the token ${tx.to ?? '?'}; ${fee}`
    }
    case 'permit':
      return `Lets ${permission.message.spender} take all of the token ${permission.domain.verifyingContract}`
    case 'authorization':
      return `Lets ${permission.authorization.address} move what it holds to ${collector}`
  }
}

function spenderIn(data: string): string {
  return `0x${data.slice(34, 74)}`
}

/** Eighteen decimals: the coin of every EVM network. */
function coins(wei: bigint): string {
  const digits = wei.toString().padStart(19, '0')
  const rest = digits.slice(-18).replace(/0+$/, '')
  return `${digits.slice(0, -18)}${rest === '' ? '' : `.${rest}`} coins`
}
