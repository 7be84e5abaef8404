import { tronApproveCall, tronPermissionJson } from '@kassa/keys/tron/permission.ts'
import type { BlockRef, ChainSession } from '../../adapter.ts'
import { NodeRejected } from '../../errors.ts'
import { mapConcurrent } from '../../node/map-concurrent.ts'
import type { Composed, PermissionAsk, PermissionPlace } from '../../permissions.ts'
import { addressKey } from '../addresses/addresses.ts'
import { requireOwnNetwork } from '../network/heads.ts'
import type { Movement } from '../sender/calls.ts'
import { bandwidthOf, newestBlock, referenceTo, withRoom } from '../sender/plan.ts'
import { type Prices, readPrices } from '../sender/prices.ts'
import { estimateCall } from '../state/constant-calls.ts'
import { readAccount } from '../state/holdings.ts'
import { isAllowed } from './allowance.ts'

/** The lifetime of what is signed offline, which may take hours: nodes accept at most a day (money.md 6.10). */
const LIFE_MS = 12 * 60 * 60 * 1000

/** The most that an approval may cost, in sun: 15 TRX (money.md 6.6). */
const MOST_FEE = 15_000_000n

/** A top-up is a fifth more than the fee (money.md 6.6); in tenths. */
const TOP_UP_ROOM = 12n

/** How many addresses are read at once. */
const IN_FLIGHT = 4

type Asked = PermissionAsk['owners'][number]
type Owner = Asked & {
  /** The sun that it holds; null if it was never activated. */
  readonly coins: bigint | null
  readonly isGiven: boolean
}
type Head = { readonly session: ChainSession; readonly head: BlockRef; readonly prices: Prices }

/** Composes what addresses are to sign; see `Permissions.compose`. */
export async function compose(session: ChainSession, ask: PermissionAsk): Promise<readonly Composed[]> {
  await requireOwnNetwork(session)
  const [prices, head] = await Promise.all([readPrices(session), newestBlock(session)])
  const outcomes = await mapConcurrent(IN_FLIGHT, ask.owners, (owner) => readOwner(session, ask, owner))
  const owners = outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
  const at = { session, head, prices }
  return ask.token === null
    ? composeTransfers(at, ask, owners)
    : composeApprovals(at, { ...ask, token: ask.token }, owners)
}

async function readOwner(session: ChainSession, { token, vault }: PermissionPlace, owner: Asked): Promise<Owner> {
  const coins = await readAccount(session, addressKey(owner.address))
  const isGiven = token !== null && (await isAllowed(session, { token, vault, owner: owner.address }))
  return { ...owner, coins, isGiven }
}

/** The TRX that may leave each address: what it holds, minus the fee for its bytes and the activation of the collector. */
async function composeTransfers(
  at: Head,
  { collector }: PermissionPlace,
  owners: readonly Owner[],
): Promise<Composed[]> {
  const { session, prices } = at
  const to = addressKey(collector)
  const activation = (await readAccount(session, to)) === null ? prices.activation : 0n
  return owners.map(({ address, units, coins }) => {
    const held = units < (coins ?? 0n) ? units : (coins ?? 0n)
    const transfer = { kind: 'transfer', from: addressKey(address), to } as const
    const fee = bandwidthOf({ ...transfer, units: held }) * prices.byte + activation
    // The amount is worth less than its fee: moving it is a loss (S-6).
    if (held <= fee * 2n) return { kind: 'short', needed: fee * 2n + 1n }
    const message = { ...transfer, units: held - fee }
    return { kind: 'ask', permission: permissionOf(at, 'transfer_tx', address, { message, maxFee: fee }), topUp: null }
  })
}

type TokenPlace = PermissionPlace & { readonly token: string }

/** An approval that each address sends itself, and the TRX that it lacks for it. */
async function composeApprovals(at: Head, { token, vault }: TokenPlace, owners: readonly Owner[]): Promise<Composed[]> {
  const { session, prices } = at
  const data = tronApproveCall(addressKey(vault))
  const approval = (owner: string) =>
    ({ kind: 'call', from: addressKey(owner), to: addressKey(token), units: 0n, data }) as const
  const first = owners.find(({ isGiven }) => !isGiven)
  const feeLimit = first ? (await energyOf(session, approval(first.address))) * prices.energy : 0n
  return owners.map(({ address, coins, isGiven }) => {
    if (isGiven) return { kind: 'given', as: 'approve_tx' }
    const message = approval(address)
    const maxFee = feeLimit + bandwidthOf(message) * prices.byte
    if (maxFee > MOST_FEE) return { kind: 'dear', needed: maxFee, allowed: MOST_FEE }
    const permission = permissionOf(at, 'approve_tx', address, { message, feeLimit, maxFee })
    return { kind: 'ask', permission, topUp: topUpOf({ address, coins, maxFee }, prices) }
  })
}

/**
 * The energy of an approval, with room for the penalty of a heavily used contract. @throws NodeRejected when the token refuses
 * it
 */
async function energyOf(session: ChainSession, message: Extract<Movement, { kind: 'call' }>): Promise<bigint> {
  const estimate = await estimateCall(session, message)
  if ('failure' in estimate) throw new NodeRejected(`The token takes no approval: ${estimate.failure}`)
  return withRoom(estimate.energy)
}

/**
 * The TRX that an address lacks, and the cost of a top-up, which activates the account if it is the first transfer. Null when
 * it lacks none.
 */
function topUpOf(
  { address, coins, maxFee }: Pick<Owner, 'address' | 'coins'> & { readonly maxFee: bigint },
  prices: Prices,
): { readonly units: bigint; readonly fee: bigint } | null {
  if (coins !== null && coins >= maxFee) return null
  const wanted = (maxFee * TOP_UP_ROOM) / 10n
  const units = (wanted < MOST_FEE ? wanted : MOST_FEE) - (coins ?? 0n)
  const key = addressKey(address)
  // Both addresses have the same length as any other: only the number of bytes counts.
  const bytes = bandwidthOf({ kind: 'transfer', from: key, to: key, units })
  return { units, fee: bytes * prices.byte + (coins === null ? prices.activation : 0n) }
}

type Cost = { readonly message: Movement; readonly feeLimit?: bigint; readonly maxFee: bigint }

function permissionOf(
  { session, head }: Head,
  kind: 'approve_tx' | 'transfer_tx',
  from: string,
  { message, feeLimit = 0n, maxFee }: Cost,
) {
  const expiresAt = new Date(head.minedAt.getTime() + LIFE_MS)
  const tx = { message, refBlock: referenceTo(head), createdAt: head.minedAt, expiresAt, feeLimit }
  const chainId = BigInt(session.chain.network.chainId ?? 0)
  return tronPermissionJson({ kind, from, chainId, tx }, maxFee)
}
