import type { AlarmParams } from '@kassa/contract/alarms/catalogue.ts'

import type { Context } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import type { Send } from './send.ts'

type Coded = { readonly code: string }

/** Raises the alarm that nodes do not prove what became of a send. */
export async function raiseUnproven(
  tx: Context,
  row: Coded,
  send: Send,
  facts: Pick<AlarmParams<'send_unproven'>, 'case' | 'txHash' | 'minutes'>,
): Promise<void> {
  const params = { walletID: send.walletId, blockchainCode: row.code, ...facts }
  await raiseAlarm(tx, { kind: 'send_unproven', subject: subjectOf(row, send), params })
}

/** Ends the alarm of a send, because the chain has it or it is decided. Only a send without a sequence can have one. */
export async function clearUnproven(tx: Context, row: Coded, send: Send): Promise<void> {
  if (send.sequence === null) await clearAlarm(tx, { kind: 'send_unproven', subject: subjectOf(row, send) })
}

function subjectOf({ code }: Coded, { id }: Pick<Send, 'id'>): string {
  return `${code} send ${id}`
}
