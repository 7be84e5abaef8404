import type { Invariant } from '../../../module.ts'

/** What must hold between payments and their deposits. */
export const paymentsInvariants: readonly Invariant[] = [
  {
    name: 'payment-money',
    rule: "A payment's final money is what its applied deposits count for.",
    sql: ({ about }) => `
      SELECT 'payment ' || payment.id AS subject
      FROM payments AS payment
      LEFT JOIN deposits AS deposit ON deposit.payment_id = payment.id AND deposit.status = 'applied'
      WHERE ${about('deposit', (ids) => `payment.id IN (SELECT payment_id FROM deposits WHERE id IN (${ids}))`)}
      GROUP BY payment.id
      HAVING payment.filled_units <> coalesce(sum(deposit.counted_units), 0)
        OR count(deposit.id) <> count(deposit.counted_units)`,
  },
]
