/** What becomes of transactions that accounts of the program signed, as far as these worlds run code. */
import { addressText } from '../../../tron/addresses/addresses.ts'
import { toHex } from '../../../tron/encoding/hex.ts'
import { bandwidthFee, FEES, type Sent } from '../../tron-node/transactions.ts'
import type { ChainView } from '../block-tree.ts'
import { PLAIN } from '../plain.ts'
import type { FakeTransaction } from '../transactions.ts'
import { heldOnTron, isActivated } from './balances.ts'
import { transferLog } from './transactions.ts'
import type { Ran, TronContracts } from './vault.ts'

/** Energy of a transfer of USDT to an address with a balance, and to one without (money.md 6.10). */
const [TO_HOLDER, TO_STRANGER] = [64_285n, 130_285n]

/** Nobody's: what is burned for energy and bandwidth goes there. */
const BURNED = 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'

/** `transfer` of TRC-20 with its arguments. */
const TRANSFER = /^a9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/

/** The transfer of a token that a call asks for; null for any other call. */
export function transferIn(data: Uint8Array): { readonly to: string; readonly units: bigint } | null {
  const [, to, units] = TRANSFER.exec(toHex(data)) ?? []
  return to !== undefined && units !== undefined
    ? { to: addressText(Buffer.from(to, 'hex')), units: BigInt(`0x${units}`) }
    : null
}

/** The energy that the transfer of a token to an address uses. */
export function energyOf(view: ChainView, token: string, to: string): bigint {
  return heldOnTron(view, token, to) > 0n ? TO_HOLDER : TO_STRANGER
}

type Executing = { readonly sent: Sent; readonly raw: string; readonly contracts: TronContracts }

/**
 * What a signed transaction becomes in the next block; null while its account cannot pay for it, or where nothing here runs
 * it. Its id decides what chance does: the same transaction ends the same on every branch.
 */
export function executeOnTron(view: ChainView, { sent, raw, contracts }: Executing): FakeTransaction | null {
  const { message } = sent.raw
  if (message.kind === 'other') return null
  const [from, to] = [addressText(message.from), addressText(message.to)]
  const own = { ...PLAIN, hash: sent.txId, from, to, bytes: sent.bytes, signed: { raw } }
  const held = heldOnTron(view, null, from)
  const bandwidth = chanceOf(sent, 'bandwidth') % 5 === 0 ? 0n : bandwidthFee(sent)
  if (message.kind === 'call') {
    if (held < sent.raw.feeLimit + bandwidth) return null
    const ran =
      contracts.effect(view, { txId: sent.txId, from, contract: to, data: toHex(message.data) }) ??
      transferred(view, sent, { from, token: to, data: message.data })
    return ran && { ...own, ...called(sent, ran, { from, bandwidth }) }
  }
  const activation = isActivated(view, to) ? 0n : FEES.getCreateNewAccountFeeInSystemContract + FEES.getCreateAccountFee
  const fee = bandwidth + activation
  const { units } = message
  if (held < units + fee) return null
  return { ...own, fee, moves: [{ leg: 'value', token: null, from, to, units }, ...burned(from, fee)] }
}

type Transferring = { readonly from: string; readonly token: string; readonly data: Uint8Array }

/** The transfer of a token, which may fail, or succeed and move nothing; null for a call of anything else. */
function transferred(view: ChainView, sent: Sent, { from, token, data }: Transferring): Undoable | null {
  const transfer = transferIn(data)
  if (!transfer) return null
  const { to, units } = transfer
  const none = { energy: energyOf(view, token, to), logs: [], calls: [], moves: [] }
  const chance = chanceOf(sent, 'token')
  if (chance % 9 === 0 || heldOnTron(view, token, from) < units) return { ...none, isUndone: true }
  if (chance % 13 === 0) return none
  const log = transferLog({ name: '', token, from, to, units })
  return { ...none, logs: [log], moves: [{ leg: 'log:0', token, from, to, units }] }
}

type Undoable = Ran & { readonly isUndone?: true }
type Paying = { readonly from: string; readonly bandwidth: bigint }

/** A contract that many call costs more from one block to the next, up to more than was planned for. */
function called(sent: Sent, ran: Undoable, { from, bandwidth }: Paying): Partial<FakeTransaction> {
  const penalty = BigInt(chanceOf(sent, 'energy') % 33)
  const wanted = (ran.energy * (100n + penalty)) / 100n
  const most = sent.raw.feeLimit / FEES.getEnergyFee
  const fee = bandwidth + (wanted < most ? wanted : most) * FEES.getEnergyFee
  const failed = { fee, isSuccess: false, moves: burned(from, fee) }
  if (wanted > most) return { ...failed, result: 'OUT_OF_ENERGY' }
  if (ran.isUndone) return failed
  return { fee, logs: ran.logs, calls: ran.calls, moves: [...ran.moves, ...burned(from, fee)] }
}

function burned(from: string, units: bigint): FakeTransaction['moves'] {
  return units > 0n ? [{ leg: 'burned', token: null, from, to: BURNED, units }] : []
}

const PARTS = { bandwidth: 0, energy: 8, token: 16 } as const

/** A number that the id of a transaction holds for each of its chances. */
function chanceOf({ txId }: Sent, part: keyof typeof PARTS): number {
  return Number.parseInt(txId.slice(PARTS[part], PARTS[part] + 8), 16)
}
