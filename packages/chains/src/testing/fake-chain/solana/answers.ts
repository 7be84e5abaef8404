import { NodeRefusal } from '../answers.ts'
import type { ChainView } from '../block-tree.ts'
import type { FakeBlock } from '../sealing.ts'
import type { FakeBalance, FakeTransaction } from '../transactions.ts'
import { SOLANA_FEE } from './transactions.ts'

type Options = { readonly commitment?: string; readonly transactionDetails?: string }

/** Codes of Solana's nodes: no such method, a slot without a block, and one that is not that final yet. */
const [NO_METHOD, NO_BLOCK, NOT_YET] = [-32_601, -32_007, -32_004]

/** Answers one call as a node of Solana does. @throws NodeRefusal */
export function answerSolana(view: ChainView, method: string, params: readonly unknown[]): unknown {
  const respond = ANSWERS[method]
  if (!respond) throw new NodeRefusal(NO_METHOD, 'Method not found')
  return respond(view, ...params)
}

const ANSWERS: Readonly<Record<string, (view: ChainView, ...params: unknown[]) => unknown>> = {
  getVersion: () => ({ 'solana-core': '3.0.0-fake' }),
  getGenesisHash: ({ blocks }) => blocks[0]?.hash,
  getSlot: (view, options) => newest(view, options),
  getBlocks: (view, from, to, options) =>
    slots(view, options).filter((slot) => slot >= Number(from) && slot <= Number(to)),
  getBlocksWithLimit: (view, from, limit, options) =>
    slots(view, options)
      .filter((slot) => slot >= Number(from))
      .slice(0, Number(limit)),
  getBlock: (view, slot, options) => {
    if (Number(slot) > newest(view, options))
      throw new NodeRefusal(NOT_YET, `Block not available for slot ${String(slot)}`)
    const at = view.blocks.findIndex(({ height }) => height === slot)
    const block = view.blocks[at]
    if (!block) throw new NodeRefusal(NO_BLOCK, `Slot ${String(slot)} was skipped, or missing in long-term storage`)
    const isFull = ((options ?? {}) as Options).transactionDetails !== 'none'
    return {
      blockhash: block.hash,
      previousBlockhash: block.parentHash,
      parentSlot: view.blocks[at - 1]?.height ?? 0,
      blockHeight: at,
      blockTime: block.time,
      ...(isFull && { transactions: block.transactions.map(printed) }),
    }
  },
  getTransaction: (view, txId, options) => {
    const found = find(view, txId)
    if (!found || found.block.height > newest(view, options)) return null
    return { slot: found.block.height, blockTime: found.block.time, ...printed(found.tx) }
  },
  getSignatureStatuses: (view, txIds) => ({
    context: { slot: view.blocks.at(-1)?.height },
    value: (txIds as string[]).map((txId) => {
      const found = find(view, txId)
      return found ? { slot: found.block.height, err: errorOf(found.tx), confirmationStatus: 'confirmed' } : null
    }),
  }),
}

/** The newest block at a commitment: of a chain without finality, its head. */
function newest({ blocks, finalizedHeight }: ChainView, options: unknown): number {
  const isConfirmed = ((options ?? {}) as Options).commitment === 'confirmed'
  const most = isConfirmed ? Infinity : (finalizedHeight ?? Infinity)
  return blocks.findLast(({ height }) => height <= most)?.height ?? 0
}

function slots(view: ChainView, options: unknown): number[] {
  const most = newest(view, options)
  return view.blocks.map(({ height }) => height).filter((height) => height <= most)
}

function find({ blocks }: ChainView, txId: unknown): { block: FakeBlock; tx: FakeTransaction } | null {
  for (const block of blocks) {
    const tx = block.transactions.find(({ hash }) => hash === txId)
    if (tx) return { block, tx }
  }
  return null
}

function printed(tx: FakeTransaction): Readonly<Record<string, unknown>> {
  const { hash, isSuccess } = tx
  const balances = (tx.balances ?? []).map((one) => (isSuccess ? one : unchanged(one)))
  const err = errorOf(tx)
  return {
    version: 'legacy',
    transaction: { signatures: [hash], message: { accountKeys: balances.map(({ account }) => account) } },
    meta: {
      err,
      status: err === null ? { Ok: null } : { Err: err },
      fee: Number(SOLANA_FEE),
      preBalances: balances.map(({ before }) => Number(before)),
      postBalances: balances.map(({ after }, at) => Number(!isSuccess && at === 0 ? after - SOLANA_FEE : after)),
      preTokenBalances: tokensOf(balances, 'before'),
      postTokenBalances: tokensOf(balances, 'after'),
      loadedAddresses: { writable: [], readonly: [] },
    },
  }
}

function unchanged({ account, before, token }: FakeBalance): FakeBalance {
  return { account, before, after: before, ...(token && { token: { ...token, after: token.before } }) }
}

function tokensOf(balances: readonly FakeBalance[], when: 'before' | 'after'): unknown[] {
  return balances.flatMap(({ token }, accountIndex) => {
    if (!token || token[when] === 0n) return []
    const { mint, owner, program: programId } = token
    return [{ accountIndex, mint, owner, programId, uiTokenAmount: { amount: String(token[when]), decimals: 6 } }]
  })
}

function errorOf({ isSuccess }: FakeTransaction): unknown {
  return isSuccess ? null : { InstructionError: [0, { Custom: 1 }] }
}

/** What a node says that leaves a block out which others follow. */
export const SOLANA_LIES = {
  'missing blocks': (honest: unknown, method: string) =>
    method === 'getBlocks' ? (honest as number[]).filter((_, at) => at % 3 !== 1) : honest,
} as const
