/** A shop that can take payments, made through the API as a script of an operator would. */
import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import type { PayCase } from '@kassa/contract/sandbox/schemas.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'

import { type Api, apiOf, type Wire } from './api.ts'
import { until } from './until.ts'

export const OWNER = { email: 'owner@shop.example', password: 'Correct.Horse9' } as const

/** Words that every developer's chain knows: no money of anybody. */
export const PHRASE = 'test test test test test test test test test test test junk'

/** Account m/44'/60'/0' of these words. */
const XPUB =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP'

/** Account m/44'/195'/0' of them. */
export const TRON_XPUB =
  'xpub6BuRy7ZmkGfP2RWhoor1kWB1w9DvrtmJbFBvnC1bQ4SB5NbCHTyQYCJSXZtxDbFyHTmC7wkU2he3nYYdpZ3Vf6qUAkXSnL6RPif4BDtDEKr'

export type PublicPayment = Wire<typeof paymentsRoutes.getPaymentByReference>

export type Shop = {
  readonly url: string
  readonly project: string
  /** Calls as the operator who owns the server. */
  readonly operator: Api
  /** Calls as the shop's own program. */
  readonly merchant: Api
  readonly apiKey: string
  readonly session: string
}

/** Creates the first account of a fresh server and a project with a deposit wallet and an API key. */
export async function openShop(url: string, name = 'Acme'): Promise<Shop> {
  const { key: session } = await apiOf(url)(authRoutes.signUp, { body: OWNER })
  return addShop(url, session, name)
}

/** Adds a project with a deposit wallet and an API key. */
export async function addShop(url: string, session: string, name: string): Promise<Shop> {
  const operator = apiOf(url, session)
  const { id } = await operator(projectsRoutes.createProject, { body: { name } })
  await operator(walletsRoutes.addDepositWallet, {
    body: { name: 'Main', projectID: id, xpubs: [{ family: 'ETH_Family', xpub: XPUB }] },
  })
  const project = String(id)
  const { key } = await operator(apiKeysRoutes.createApiKey, { params: { p: project }, body: { name: 'Shop' } })
  if (key === null) throw new Error('The API key was not shown')
  return { url, project, operator, merchant: apiOf(url, key), apiKey: key, session }
}

let customers = 0

/** Creates a payment, by default of a new customer, and gives its reference. */
export async function newPayment(
  shop: Shop,
  amountInUSD = '49',
  given: { customerID?: string; expiresInMinutes?: number } = {},
): Promise<string> {
  customers += 1
  const { customerID = `c-${customers}`, ...rest } = given
  const { reference_id } = await shop.merchant(paymentsRoutes.createPayment, {
    body: { customerID, customerEmail: `${customerID}@mail.example`, amountInUSD, ...rest },
  })
  return reference_id
}

/** Sends money on a local chain as the customer would. */
export async function pay(
  shop: Shop,
  reference: string,
  payCase: PayCase,
  choice: { blockchainCode?: string; currencyCode?: string; amount?: string } = {},
): Promise<Wire<typeof sandboxRoutes.payAsCustomer>> {
  return shop.operator(sandboxRoutes.payAsCustomer, { params: { ref: reference }, body: { case: payCase, ...choice } })
}

/** Reads the payment as its payer sees it. */
export function readPayment(shop: Shop, reference: string): Promise<PublicPayment> {
  return apiOf(shop.url)(paymentsRoutes.getPaymentByReference, { params: { ref: reference } })
}

/** Waits until the payment is as wanted. */
export function paymentThat(
  shop: Shop,
  reference: string,
  what: string,
  isSo: (payment: PublicPayment) => boolean,
): Promise<PublicPayment> {
  return until(`payment ${reference} to be ${what}`, () => readPayment(shop, reference), isSo)
}

/** Waits until the payment is in the state with its money final. */
export function settled(shop: Shop, reference: string, state: PublicPayment['paymentState']): Promise<PublicPayment> {
  return paymentThat(shop, reference, state, ({ paymentState }) => paymentState === state)
}
