import type { CurrencyCode } from '@kassa/primitives/chains/currencies.ts'
import { ApiError } from '@kassa/contract/kit/api-error.ts'
import type { Context } from '../../context.ts'
import { cancelPayment, createPayment } from '../../modules/payments/lifecycle/service.ts'
import { pinPayment } from '../../modules/payments/quotes/service.ts'
import { findPayment } from '../../modules/payments/payment/store.ts'
import type { Payment } from '../../modules/payments/payment/payment.ts'
import { setSandboxPrice } from '../../modules/prices/service.ts'
import { SANDBOX_PRICES } from '../../modules/prices/sandbox-prices.ts'
import type { Process } from './scheduler.ts'
import { contextOf, isAlone, waitInTrouble, type World } from './world.ts'

const CUSTOMERS = 4
/** How often a shop calls where the steps of a run are for what is swept. */
const RARE_MS = [3_000, 90_000] as const
const PROJECTS = [1, 2] as const
const AMOUNTS = ['0.5', '9.99', '25', '100', '250', '1500'] as const
const ALL_CHOICES = [
  { blockchainCode: 'ETH', currencyCode: 'ETH' },
  { blockchainCode: 'ETH', currencyCode: 'USDC' },
  { blockchainCode: 'ETH', currencyCode: 'USDT' },
  { blockchainCode: 'BASE', currencyCode: 'ETH' },
  { blockchainCode: 'BASE', currencyCode: 'USDC' },
  { blockchainCode: 'TRX', currencyCode: 'TRX' },
  { blockchainCode: 'TRX', currencyCode: 'USDT' },
  { blockchainCode: 'BTC', currencyCode: 'BTC' },
  { blockchainCode: 'SOLANA', currencyCode: 'SOL' },
  { blockchainCode: 'SOLANA', currencyCode: 'USDC' },
] as const
/** What a broken source reports (money.md 3.3); none of it may be used in a quote. */
export const BAD_PRICES = ['0', '-1', 'NaN', '1e400', '', '0.000333', '3000000', '<html>', '1,000', 'Infinity'] as const

/** Calls of the merchant's server, and of payers' browsers, one after another. */
export async function merchant(world: World, process: Process): Promise<void> {
  const ctx = contextOf(world, process, 'prices')
  const { scheduler } = world
  while (!process.isDead) {
    await scheduler.sleep(waitInTrouble(world, isAlone(world) ? RARE_MS : [1_000, 30_000]), process.signal)
    if (world.phase === 'trouble') await callOnce(world, ctx).catch((error: unknown) => expectRefusal(world, error))
  }
}

/** What can be chosen in a world. */
function choicesIn({ chains }: World) {
  const choices = ALL_CHOICES.filter(({ blockchainCode }) => chains.some(({ code }) => code === blockchainCode))
  // Ethereum has three of its own, in every world.
  const others = choices.filter(({ blockchainCode }) => blockchainCode !== 'ETH' && blockchainCode !== 'BASE')
  return [...choices, ...others, ...others]
}

/** Currencies whose price sources report now and then: of coins, and of the tokens of every world. */
function pricedIn(world: World): readonly CurrencyCode[] {
  const coins = choicesIn(world).map(({ currencyCode }) => currencyCode)
  return [...new Set<CurrencyCode>(['ETH', 'USDC', 'USDT', ...coins])]
}

async function callOnce(world: World, ctx: Context): Promise<void> {
  const { random } = world
  const asProject = random.pick(PROJECTS)
  const key: Context = {
    ...ctx,
    caller: { kind: 'key', keyId: 1, projectId: asProject, knownTo: 1, scopes: new Set() },
  }
  if (random.chance(world.chaos.badPrice)) await changePrice(world, ctx)
  const chance = random.next()
  if (chance < 0.45) return create(world, key, asProject)
  if (chance < 0.9) return pin(world, { ...ctx, caller: { kind: 'anonymous' } })
  const payment = await someone(world, ctx)
  if (payment) await cancelPayment(key, payment, 'out of stock')
}

async function create(world: World, ctx: Context, projectId: number): Promise<void> {
  const { random } = world
  const request = {
    customerID: `customer-${random.between(1, CUSTOMERS)}`,
    customerEmail: 'payer@example.com',
    amountInUSD: random.pick(AMOUNTS),
    ...(random.chance(0.4) && random.pick(choicesIn(world))),
    replace: true,
  }
  const { payment } = await createPayment(ctx, projectId, request)
  world.references.push(payment.reference)
  show(world, payment)
}

async function pin(world: World, ctx: Context): Promise<void> {
  const reference = world.random.any(world.references)
  if (reference === undefined) return
  const { payment } = await pinPayment(ctx, reference, world.random.pick(choicesIn(world)))
  const shown = (await findPayment(ctx, payment.reference)) ?? payment
  show(world, shown)
}

/** The payer has seen an address and an amount. */
function show({ bills, chains }: World, { reference, quote }: Payment): void {
  if (!quote) return
  const { asset, address, dueUnits } = quote
  const to = chains.find(({ id }) => id === asset.blockchainId)?.family.spell(address) ?? address
  bills.push({ reference, to, chainId: asset.blockchainId, assetId: asset.id, dueUnits })
}

async function changePrice(world: World, ctx: Context): Promise<void> {
  const currencyCode = world.random.pick(pricedIn(world))
  const isGood = world.random.chance(0.5)
  const price = isGood ? drifted(world, currencyCode) : world.random.pick(BAD_PRICES)
  if (isGood) world.goodPrices.set(currencyCode, (world.goodPrices.get(currencyCode) ?? new Set()).add(price))
  await setSandboxPrice(ctx, { currencyCode, price })
}

/** A price that moved by a little. */
function drifted({ random }: World, currencyCode: CurrencyCode): string {
  const isStable = currencyCode === 'USDC' || currencyCode === 'USDT'
  const thousandths = isStable ? random.between(996, 1004) : random.between(800, 1200)
  return ((Number(SANDBOX_PRICES[currencyCode]) * thousandths) / 1000).toFixed(3)
}

async function someone(world: World, ctx: Context): Promise<Payment | undefined> {
  const reference = world.random.any(world.references)
  return reference === undefined ? undefined : findPayment(ctx, reference)
}

/** An API error is an answer; anything else that is thrown comes from the database, or needs a look at the trace. */
function expectRefusal({ scheduler }: World, error: unknown): void {
  const why = error instanceof ApiError ? error.code : error instanceof Error ? error.message : String(error)
  scheduler.note(`the merchant was refused: ${why}`)
}
