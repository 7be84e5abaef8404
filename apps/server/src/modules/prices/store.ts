import type { Context } from '../../context.ts'
import type { PriceTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<PriceTables>()

/** Finds what the sandbox's source was told to say about a currency, if anything. */
export async function findSandboxPrice(ctx: Context, currencyCode: string): Promise<string | undefined> {
  const row = await tables(ctx)
    .selectFrom('sandbox_prices')
    .select('price')
    .where('currency_code', '=', currencyCode)
    .executeTakeFirst()
  return row?.price
}

/** Tells the sandbox's source what to say about a currency, whatever text it is. */
export async function upsertSandboxPrice(ctx: Context, currencyCode: string, price: string): Promise<void> {
  await tables(ctx)
    .insertInto('sandbox_prices')
    .values({ currency_code: currencyCode, price, updated_at: ctx.now() })
    .onConflict((conflict) => conflict.column('currency_code').doUpdateSet({ price, updated_at: ctx.now() }))
    .execute()
}

/** Lets the sandbox's source speak from its own table again. */
export async function deleteSandboxPrice(ctx: Context, currencyCode: string): Promise<void> {
  await tables(ctx).deleteFrom('sandbox_prices').where('currency_code', '=', currencyCode).execute()
}
