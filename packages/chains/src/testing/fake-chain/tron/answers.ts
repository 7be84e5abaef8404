import { addressText } from '../../../tron/addresses/addresses.ts'
import { fromHex, toHex } from '../../../tron/encoding/hex.ts'
import { FEES } from '../../tron-node/transactions.ts'
import type { ChainView } from '../block-tree.ts'
import type { FakeBlock } from '../sealing.ts'
import type { FakeTransaction } from '../transactions.ts'
import { heldOnTron, isActivated } from './balances.ts'
import { energyOf, transferIn } from './execution.ts'
import { word } from './transactions.ts'

/** Blocks that producers build on another one before it can no longer be taken back: 19 of 27. */
export const SOLIDIFIED_BEHIND = 19

type Body = Readonly<Record<string, unknown>>

/** Answers a call of a node's HTTP interface, of one view or of what is final; undefined where it has no such path. */
export function answerTron(view: ChainView, path: string, body: Body): unknown {
  const [, interfaceName, name = ''] = path.split('/')
  return ANSWERS[name]?.(interfaceName === 'walletsolidity' ? solidified(view) : view, body)
}

/** What a node shows of the blocks that can no longer be taken back. */
function solidified(view: ChainView): ChainView {
  const behind = Math.max(0, view.blocks.length - 1 - SOLIDIFIED_BEHIND)
  return { ...view, blocks: view.blocks.slice(0, 1 + Math.min(view.finalizedHeight ?? behind, view.blocks.length - 1)) }
}

const ANSWERS: Readonly<Record<string, (view: ChainView, body: Body) => unknown>> = {
  getnowblock: ({ blocks }) => blockAnswer(blocks.at(-1)),
  getblockbynum: ({ blocks }, { num }) => blockAnswer(blocks[Number(num)]),
  getblockbylimitnext: ({ blocks }, { startNum, endNum }) => ({
    block: blocks.slice(Number(startNum), Number(endNum)).map(blockAnswer),
  }),
  gettransactioninfobyblocknum: ({ blocks }, { num }) => {
    const block = blocks[Number(num)]
    return block ? block.transactions.map((tx) => infoAnswer(block, tx)) : []
  },
  gettransactionbyid: (view, { value }) => {
    const found = find(view, value)
    return found ? printed(found.tx) : {}
  },
  gettransactioninfobyid: (view, { value }) => {
    const found = find(view, value)
    return found ? infoAnswer(found.block, found.tx) : {}
  },
  getnodeinfo: () => ({ configNodeInfo: { codeVersion: '4.8.0' } }),
  getchainparameters: () => ({
    chainParameter: Object.entries(FEES).map(([key, value]) => ({ key, value: Number(value) })),
  }),
  getaccount: (view, { address }) => {
    const account = textOf(address)
    if (!isActivated(view, account)) return {}
    return { address, balance: Number(heldOnTron(view, null, account)) }
  },
  triggerconstantcontract: (view, body) => ({ result: { result: true }, ...ranOnly(view, body) }),
}

/** `balanceOf` and `transfer` of a token; whatever else is asked is its name, which it does not say. */
function ranOnly(view: ChainView, { owner_address: owner, contract_address: contract, data }: Body): Body {
  const silent = { transaction: { ret: [{}] }, constant_result: [''] }
  if (typeof data !== 'string') return silent
  const token = textOf(contract)
  const [, holder] = BALANCE_OF.exec(data) ?? []
  if (holder !== undefined) {
    const held = heldOnTron(view, token, textOf(`41${holder}`))
    return { ...silent, energy_used: 1_000, constant_result: [word(held.toString(16))] }
  }
  const transfer = transferIn(fromHex(data))
  if (!transfer) return silent
  if (heldOnTron(view, token, textOf(owner)) < transfer.units)
    return { ...silent, transaction: { ret: [{ ret: 'FAILED' }] } }
  const energy = Number(energyOf(view, token, transfer.to))
  return { ...silent, energy_used: energy, constant_result: [word('1')] }
}

const BALANCE_OF = /^70a082310{24}([0-9a-f]{40})$/

/** The address of a hexadecimal one with its prefix. */
export function textOf(prefixed: unknown): string {
  return addressText(fromHex(String(prefixed).slice(2)))
}

function blockAnswer(block: FakeBlock | undefined): Body {
  if (!block) return {}
  return {
    blockID: block.hash,
    block_header: { raw_data: block.header },
    ...(block.transactions.length > 0 && { transactions: block.transactions.map(printed) }),
  }
}

function printed({ hash, bytes, isSuccess, result = isSuccess ? 'SUCCESS' : 'REVERT' }: FakeTransaction): Body {
  const ret = [{ contractRet: result }]
  return { txID: hash, raw_data_hex: toHex(bytes ?? new Uint8Array()), ret }
}

function infoAnswer(block: FakeBlock, tx: FakeTransaction): Body {
  const { hash, isSuccess, logs, calls, fee = 0n, result = isSuccess ? 'SUCCESS' : 'REVERT' } = tx
  // Whatever contract logs something was called, and nodes record each call.
  const recorded = [
    ...calls.map(internal),
    ...logs.map(({ address }) => internal({ type: 'CALL', from: `41${address}`, to: `41${address}`, value: 0n })),
  ]
  return {
    id: hash,
    blockNumber: block.height,
    ...(!isSuccess && { result: 'FAILED' }),
    ...(fee > 0n && { fee: Number(fee) }),
    receipt: { result },
    ...(logs.length > 0 && { log: logs }),
    ...(recorded.length > 0 && { internal_transactions: recorded }),
  }
}

/** Hex of "call", as nodes note it. */
const CALL_NOTE = '63616c6c'

function internal({ from, to, value, error }: FakeTransaction['calls'][number]): Body {
  return {
    caller_address: from,
    transferTo_address: to,
    callValueInfo: [{ callValue: Number(value) }],
    note: CALL_NOTE,
    ...(error !== undefined && { rejected: true }),
  }
}

function find({ blocks }: ChainView, txId: unknown): { block: FakeBlock; tx: FakeTransaction } | null {
  for (const block of blocks) {
    const tx = block.transactions.find(({ hash }) => hash === txId)
    if (tx) return { block, tx }
  }
  return null
}

/** What a node says that leaves out the outcome of one transaction, or answers those of another block. */
export const TRON_LIES = {
  'missing receipts': (honest: unknown, name: string) =>
    name === 'gettransactioninfobyblocknum' ? (honest as unknown[]).slice(0, -1) : honest,
  'foreign receipts': (honest: unknown, name: string, view: ChainView) => {
    if (name !== 'gettransactioninfobyblocknum') return honest
    const other = view.blocks.findLast(({ transactions }) => transactions.some(({ logs }) => logs.length > 0))
    return other ? other.transactions.map((tx) => infoAnswer(other, tx)) : honest
  },
  // What whoever sends would believe: that no block holds it, that it failed, that nothing is left to pay it with.
  'denies what was mined': (honest: unknown, name: string) => (name === 'gettransactioninfobyid' ? {} : honest),
  'says it failed': (honest: unknown, name: string) => {
    if (name !== 'gettransactioninfobyid' || !(honest as Body)['id']) return honest
    return { ...(honest as Body), result: 'FAILED', receipt: { result: 'REVERT' }, log: [] }
  },
  'hides balances': (honest: unknown, name: string) => (name === 'getaccount' ? {} : honest),
} as const
