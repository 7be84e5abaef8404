/** Reads a job. Anybody may have written it, so it is trusted only where it matches the pins. */
import { foldLike } from '@kassa/keys/address-case.ts'

import { type Asked, chainOf, readAsked } from './asked.ts'

export type JobItem = {
  readonly addressID: number
  /** The path of the address's key in the seed. */
  readonly path: string
  readonly asked: Asked
}

export type Job = {
  readonly batchID: string
  readonly chainId: number
  /** The contract of the token as the job names it; null for the coin. */
  readonly token: string | null
  /** The job's name for the asset, for people. */
  readonly asset: string
  readonly items: readonly JobItem[]
}

/** More than a batch holds, and more than are signed ahead at once for a wallet. */
const MOST_ITEMS = 1000

/**
 * Deposit addresses of EVM networks and of TRON: an account below purpose 44 and coin 60 or 195, and its external addresses
 * (BIP-44). Either coin may be used on either network, because the address is compared.
 */
const PATH = /^m\/44'\/(60|195)'\/\d{1,9}'\/0\/\d{1,9}$/

/** A job that is refused completely, and why. */
export class JobRefused extends Error {}

/** Reads the file or message of K13. @throws JobRefused */
export function readJob(text: string): Job {
  const job = parse(text)
  const { batchID, currencyAddress: token, currencyCode, blockchainCode, data } = job
  if (typeof batchID !== 'string' || batchID === '') throw new JobRefused('The job names no batch.')
  if (token !== null && typeof token !== 'string') throw new JobRefused('The job names no asset.')
  if (!Array.isArray(data)) throw new JobRefused('The job has no addresses.')
  const items = data.flatMap((one) => itemOf(one as Readonly<Record<string, unknown>> | null))
  if (items.length === 0) throw new JobRefused('There is nothing to sign in this job.')
  if (items.length > MOST_ITEMS) throw new JobRefused(`A job has at most ${MOST_ITEMS} addresses.`)
  const chains = new Set(items.map(({ asked }) => chainOf(asked)))
  const [chainId] = chains
  if (chains.size > 1 || chainId === undefined) throw new JobRefused('The job is for more than one network.')
  // Each transaction may cost its fee: many of one address, under several sequences, would burn everything there.
  const names = [
    items.map(({ addressID }) => addressID),
    items.map(({ asked: { permission } }) => foldLike(permission.from, permission.from)),
  ]
  if (names.some((own) => new Set<number | string>(own).size < items.length)) {
    throw new JobRefused('The job names an address twice.')
  }
  const asset = `${label(currencyCode)} on ${label(blockchainCode)}`
  return { batchID, chainId: Number(chainId), token, asset, items }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(text)
    if (typeof json === 'object' && json !== null) return json as Readonly<Record<string, unknown>>
  } catch {
    // Reported below.
  }
  throw new JobRefused('This is no job file.')
}

/** Addresses that need no signature now are left out. */
function itemOf(one: Readonly<Record<string, unknown>> | null): JobItem[] {
  if (typeof one !== 'object' || one === null) throw new JobRefused('An address of the job cannot be read.')
  const { addressID, path, approval } = one
  if (approval === null || approval === undefined) return []
  const asked = readAsked(approval)
  if (!asked || typeof addressID !== 'number' || !Number.isSafeInteger(addressID)) {
    throw new JobRefused('What an address is to sign cannot be read.')
  }
  if (typeof path !== 'string' || !PATH.test(path))
    throw new JobRefused('The path of an address is none of a deposit wallet.')
  return [{ addressID, path, asked }]
}

/** A stranger's word, shortened and reduced to plain characters. */
function label(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll(/[^\w.-]/g, '').slice(0, 20) : '?'
}
