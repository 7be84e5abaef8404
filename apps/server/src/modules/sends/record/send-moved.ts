import type { SendPurpose } from '@kassa/contract/sends/machine.ts'
import type { SendFailure } from '@kassa/contract/sends/reasons.ts'

import type { Context, StoredEvent } from '../../../context.ts'
import type { SendItem } from './send.ts'

/**
 * What happened to a send, in the transaction in which it happened: subscribe to `send.moved` and move the business row there.
 * `failed` has released the reserved amount; `processed` has not: the business's module credits it to chain:hot-held.
 * `reopened` undoes `processed`, with the fee; the same bytes are on their way again.
 */
export type SendMoved = {
  readonly sendId: bigint
  readonly purpose: SendPurpose
  readonly item: SendItem
  readonly state: 'sent' | 'processed' | 'failed' | 'reopened'
  /** Of the attempt that it is about: the mined one, or the newest. */
  readonly txId: string
  /** What it cost, in units of the native coin; null before the chain has decided. */
  readonly feeUnits: bigint | null
  /** The block that decided. */
  readonly block: { readonly height: number; readonly hash: string } | null
  /** Why it failed. */
  readonly failure: SendFailure | null
}

/** The same as JSON holds it. */
type Stored = Omit<SendMoved, 'sendId' | 'feeUnits' | 'item'> & {
  readonly sendId: string
  readonly feeUnits: string | null
  readonly item: Readonly<Record<string, string>>
}

/** Emits what happened to a send; subscribers run in the open transaction. */
export async function emitSendMoved(tx: Context, { sendId, feeUnits, item, ...rest }: SendMoved): Promise<void> {
  const payload: Stored = {
    ...rest,
    sendId: String(sendId),
    feeUnits: feeUnits === null ? null : String(feeUnits),
    item: Object.fromEntries(Object.entries(item).map(([name, id]) => [name, String(id)])),
  }
  await tx.events.emit(tx, { type: 'send.moved', projectId: null, payload })
}

/** Reads a `send.moved` event. */
export function readSendMoved({ payload }: Pick<StoredEvent, 'payload'>): SendMoved {
  const { sendId, feeUnits, item, ...rest } = payload as Stored
  return {
    ...rest,
    sendId: BigInt(sendId),
    feeUnits: feeUnits === null ? null : BigInt(feeUnits),
    item: Object.fromEntries(Object.entries(item).map(([name, id]) => [name, BigInt(id)])) as SendItem,
  }
}
