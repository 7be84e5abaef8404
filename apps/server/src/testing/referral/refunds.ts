/** Refunds whose transaction no chain holds: tests decide when it is final. */
import { sql } from 'kysely'
import { expect } from 'vitest'

import { asSystem, type Context, inTransaction } from '../../context.ts'
import { post, reverse } from '../../modules/ledger/service.ts'
import { signPending } from '../../modules/withdrawals/sending/service.ts'
import type { TestApp } from '../app.ts'
import type { payoutShop } from '../money-out/payouts.ts'

const ETH = 1

type Place = {
  readonly app: TestApp
  readonly shop: Awaited<ReturnType<typeof payoutShop>>
  /** The hot wallet that pays. */
  readonly walletId: number
}

/** Refunds a payment in part; the transaction is final when `settle` has run, and undone by `reopen`. */
export async function refundPart({ app, shop, walletId }: Place, asked: Parameters<Place['shop']['ask']>[0]) {
  const { id } = (await shop.ask(asked)).body
  await shop.approve(id)
  expect(await signPending(asSystem(app.ctx))).toBe(1)
  const { rows } = await sql<{ send_id: bigint; tx_id: string }>`
    SELECT send_id, tx_id FROM withdrawals WHERE id = ${id}`.execute(app.ctx.db)
  const { send_id: sendId = 0n, tx_id: txId = '' } = rows[0] ?? {}
  const move = (state: 'processed' | 'reopened', meanwhile?: (tx: Context) => Promise<void>) =>
    inTransaction(asSystem(app.ctx), async (tx) => {
      const isFinal = state === 'processed'
      const sent = await sql<{ fee_ceiling: string; decisions: number }>`
        UPDATE sends SET state = ${isFinal ? 'processed' : 'sent'}, decisions = decisions + ${isFinal ? 1 : 0},
          decided_at = ${isFinal ? tx.now() : null}, fee_units = ${isFinal ? '21000' : null}::numeric,
          decided_attempt = ${isFinal ? 1 : null}::int, decided_height = ${isFinal ? 9 : null}::bigint
        WHERE id = ${sendId} RETURNING fee_ceiling::text, decisions`.execute(tx.db)
      const { fee_ceiling: ceiling = '0', decisions = 0 } = sent.rows[0] ?? {}
      const account = (kind: 'chain:hot' | 'chain:hot-held') =>
        ({ kind, owner: `wallet:${walletId}`, unitId: ETH }) as const
      const fees = { kind: 'fees:network', owner: `project:${shop.projectId}`, unitId: ETH } as const
      const lines = [
        { debit: fees, credit: account('chain:hot-held'), units: 21_000n },
        { debit: account('chain:hot'), credit: account('chain:hot-held'), units: BigInt(ceiling) - 21_000n },
      ]
      const source = `send-decision:${sendId}:decide:${decisions}`
      const at = { blockchainId: ETH, height: 9 }
      if (isFinal) await post(tx, [{ posting: 'payout.fee', source, projectId: shop.projectId, at, lines }])
      else await reverse(tx, [`send-decision:${sendId}:`])
      const block = { height: 9, hash: `0x${'9'.repeat(64)}` }
      await tx.events.emit(tx, {
        type: 'send.moved',
        projectId: null,
        payload: {
          ...{ sendId: String(sendId), purpose: 'payout', item: { withdrawalId: String(id) }, state, txId },
          ...{ feeUnits: isFinal ? '21000' : null, block: isFinal ? block : null, failure: null },
        },
      })
      await meanwhile?.(tx)
    })
  return {
    settle: (meanwhile?: (tx: Context) => Promise<void>) => move('processed', meanwhile),
    reopen: () => move('reopened'),
  }
}
