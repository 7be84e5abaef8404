import type { ChainSession, SweepVaults, TxId } from '@kassa/chains/adapter.ts'
import type { VaultCreation, VaultState } from '@kassa/chains/sweep-vaults.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { confirmationsIn } from '@kassa/primitives/chains/blockchains.ts'

import type { Context } from '../../../context.ts'
import { remembered } from '../../../memory.ts'
import { adapterOf, type BlockchainRow } from '../../blockchains/chains/service.ts'
import { askNode } from '../../blockchains/nodes/service.ts'

/** When an unconfirmed creation was last asked for, by blockchain. */
const asked = remembered(() => new Map<number, number>())

/** A page that waits asks again within seconds. */
const ASKED_WITHIN_MS = 10_000

/** Whether an operator waits until the creation of a sweep contract is confirmed: the sandbox then mines blocks. */
export function isCreationAwaited(ctx: Context, blockchainId: number): boolean {
  return ctx.now().getTime() - (asked(ctx).get(blockchainId) ?? 0) < ASKED_WITHIN_MS
}

/** A transaction that created a sweep contract, and the contract's code now. */
export type Created = Extract<VaultCreation, { state: 'created' }> & {
  readonly blockchain: BlockchainRow
  readonly txId: string
}

/** The adapter's group for sweep contracts. @throws FAMILY_UNSUPPORTED */
export function vaultsOf({ definition }: BlockchainRow): SweepVaults {
  return adapterOf(definition.family)?.vaults ?? fail('FAMILY_UNSUPPORTED')
}

const WHY_NOT_OURS = {
  'not-by-factory': 'It created no contract through the factory of this release.',
  several: 'It created more contracts than one.',
  code: 'Other code than that of this release stands at the address it created.',
}

/**
 * Reads which sweep contract a transaction created. It relies on the chain alone, and where a node of another operator can be
 * asked, both must say the same. Call it outside of transactions.
 * @throws FAMILY_UNSUPPORTED, TRANSACTION_INVALID, TRANSACTION_NOT_FOUND, TRANSACTION_UNCONFIRMED, CONTRACT_MISMATCH,
 * NODE_UNREACHABLE
 */
export async function readCreation(ctx: Context, blockchain: BlockchainRow, text: string): Promise<Created> {
  const vaults = vaultsOf(blockchain)
  const txId = parseTransaction(blockchain, text)
  return askNode(ctx, blockchain, async (session) => {
    const creation = await finalCreation(ctx, blockchain, session, { vaults, txId })
    const other = await session.another().catch(() => null)
    if (other) {
      const again = await finalCreation(ctx, blockchain, other, { vaults, txId })
      const isSame = JSON.stringify(again) === JSON.stringify(creation)
      if (!isSame) fail('CONTRACT_MISMATCH', { details: 'Two nodes say different things of this transaction.' })
    }
    return { ...creation, blockchain, txId }
  })
}

/** Reads a typed transaction hash. @throws TRANSACTION_INVALID */
export function parseTransaction({ definition }: BlockchainRow, text: string): TxId {
  const txId = adapterOf(definition.family)?.transactions.normalizeId(text.trim())
  return txId ?? fail('TRANSACTION_INVALID', { fields: { transactionHash: 'This is not a transaction hash' } })
}

async function finalCreation(
  ctx: Context,
  { id, definition }: BlockchainRow,
  session: ChainSession,
  { vaults, txId }: { vaults: SweepVaults; txId: string },
): Promise<Extract<VaultCreation, { state: 'created' }>> {
  const { minimum } = confirmationsIn(ctx.config.network, definition)
  const creation = await vaults.created(session, txId)
  switch (creation.state) {
    case 'unknown':
      return fail('TRANSACTION_NOT_FOUND')
    case 'replaced':
      return fail('TRANSACTION_NOT_FOUND', { details: 'Another transaction of its sender took its place.' })
    case 'expired':
      return fail('TRANSACTION_NOT_FOUND', { details: 'Its time ran out before a block took it.' })
    case 'pending':
      return fail('TRANSACTION_UNCONFIRMED', { values: { n: minimum }, data: { confirmations: 0, required: minimum } })
    case 'failed':
      return fail('CONTRACT_MISMATCH', { details: 'The transaction was reverted: it created nothing.' })
    case 'mismatch':
      return fail('CONTRACT_MISMATCH', { details: WHY_NOT_OURS[creation.reason] })
    case 'created':
  }
  const heads = await adapterOf(definition.family)?.reader.heads(session)
  const confirmations = Math.max(0, (heads?.latest.height ?? 0) - creation.height + 1)
  const isFinal = (heads?.finalized?.height ?? -1) >= creation.height || confirmations >= minimum
  if (!isFinal) {
    asked(ctx).set(id, ctx.now().getTime())
    fail('TRANSACTION_UNCONFIRMED', { values: { n: minimum }, data: { confirmations, required: minimum } })
  }
  return creation
}

/** Reads the present owner and collector from a sweep contract. @throws NODE_UNREACHABLE */
export async function readState(ctx: Context, blockchain: BlockchainRow, address: string): Promise<VaultState> {
  return askNode(ctx, blockchain, (session) => vaultsOf(blockchain).state(session, address))
}

/**
 * Reads the same from nodes of two operators where there are two, the second only while it answers.
 * @throws NODE_UNREACHABLE
 */
export async function readStates(
  ctx: Context,
  blockchain: BlockchainRow,
  address: string,
): Promise<readonly [VaultState, ...VaultState[]]> {
  const vaults = vaultsOf(blockchain)
  return askNode(ctx, blockchain, async (session) => {
    const state = await vaults.state(session, address)
    const other = await session.another().catch(() => null)
    const again = other && (await vaults.state(other, address).catch(() => null))
    return again ? [state, again] : [state]
  })
}

/**
 * Hashes the code at an address, leaving out the values that its deployment fills in; null without code. @throws
 * NODE_UNREACHABLE
 */
export async function readCodeHash(ctx: Context, blockchain: BlockchainRow, address: string): Promise<string | null> {
  return askNode(ctx, blockchain, (session) => vaultsOf(blockchain).codeHash(session, address))
}
