/** Handlers of the sandbox's routes (api.md X): a payer with play money on the local chains. */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { CampaignBody } from '@kassa/contract/referral/inputs.ts'
import { KASSA_PAYMENT_EVENT } from '@kassa/contract/referral/machine.ts'
import type { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import type { PayCase } from '@kassa/contract/sandbox/schemas.ts'
import { findAsset } from '@kassa/primitives/chains/assets.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'
import type { Context, ProjectScope } from '../context.ts'
import type { Handlers } from '../http/handlers.ts'
import { getInScope, type Payment, type PinnedQuote } from '../modules/payments/payment/service.ts'
import { createPayment, expireNow } from '../modules/payments/lifecycle/service.ts'
import { activeCampaignsOf, createCampaign } from '../modules/referral/campaigns/service.ts'
import { authenticateReferrer, linkReferee } from '../modules/referral/referrers/service.ts'
import { listOptions, pinPayment } from '../modules/payments/quotes/service.ts'
import { findAsset as findAssetOf } from '../modules/blockchains/chains/service.ts'
import { hotAddress } from '../modules/wallets/hot/service.ts'
import { deliverSample } from '../modules/webhooks/deliveries/service.ts'
import { withAttempts } from '../modules/webhooks/record/service.ts'
import type { SandboxChains } from './chains.ts'
import { listEmails } from './emails.ts'
import { partsOf } from './paying/pay-rules.ts'
import { chainOf, running } from './paying/running-chains.ts'
import { payWithTestMoney } from './paying/test-payment.ts'

type Input = {
  readonly case?: PayCase | undefined
  readonly amount?: string | undefined
  readonly blockchainCode?: string | undefined
  readonly currencyCode?: string | undefined
}

/** Handlers over the chains of this process; in a process without chains they say where those run. */
export function sandboxHandlers(chains: SandboxChains | null): Handlers<typeof sandboxRoutes> {
  return {
    getSandbox: async () => {
      const local = running(chains)
      const heights = await Promise.all(
        local.map(async (chain) => ({ code: chain.code, height: await chain.height() })),
      )
      const payer = await Promise.all(
        local.map(async (chain) => ({
          blockchainCode: chain.code,
          address: chain.payer,
          balances: (await chain.balances()).map(({ asset, units }) => ({
            currencyCode: asset.currency,
            amount: formatUnits(units, asset.decimals),
          })),
        })),
      )
      return { chains: heights, payer }
    },
    payAsCustomer: (ctx, { params, body, scope }) => payAsCustomer(ctx, chains, scope, params.ref, body),
    payWithTestMoney: (ctx, { params }) => payWithTestMoney(ctx, chains, params.ref),
    mineBlocks: async (_ctx, { params, body }) => ({ height: await chainOf(chains, params.b).mine(body.blocks ?? 1) }),
    reorganise: async (_ctx, { params, body }) => ({ height: await chainOf(chains, params.b).reorg(body.depth) }),
    sendSandboxEvent: async (ctx, { params, body, scope }) => {
      const sample = { type: params.event, projectIds: scope.projectIds, referenceId: body.referenceID }
      return { deliveries: await withAttempts(ctx, await deliverSample(ctx, sample)) }
    },
    fundWallet: async (ctx, { body }) => {
      const to = await hotAddress(ctx, body.walletID)
      const { id } = await findAssetOf(ctx, body.blockchainCode, body.currencyCode)
      const asset = findAsset(id) ?? fail('ASSET_NOT_FOUND')
      const chain = chainOf(chains, body.blockchainCode)
      const units = unitsOf(body.amount, asset.decimals)
      return { txHash: (await chain.pay({ asset, to, units })).txHash, blockchainCode: chain.code }
    },
    askOwnerWallet: async (_ctx, { params, body }) => {
      const code = findBlockchain(params.b)?.code
      const chain = chains?.running().find((one) => one.code === code)
      if (!chain) return fail('BLOCKCHAIN_NOT_FOUND', { details: `${params.b} has no local chain with a wallet.` })
      return { result: await chain.askOwner(body) }
    },
    listEmails: (ctx) => listEmails(ctx),
    bringFriend: async (ctx, { scope }) => {
      const projectId = scope.projectId ?? fail('PROJECT_REQUIRED')
      const { referenceID, ...made } = await bringFriend(ctx, projectId)
      const paid = await payAsCustomer(ctx, chains, scope, referenceID, {})
      return { ...made, referenceID, ...paid }
    },
  }
}

async function payAsCustomer(
  ctx: Context,
  chains: SandboxChains | null,
  scope: ProjectScope,
  reference: string,
  input: Input,
): Promise<{ txHash: string; blockchainCode: string }> {
  const payCase = input.case ?? 'exact'
  const payment = await pinnedPayment(ctx, scope, reference, input)
  if (payCase === 'late') await expireNow(ctx, payment)
  const quote = payment.quote ?? fail('ASSET_NOT_ACCEPTED')
  const chain = chainOf(chains, quote.asset.blockchainCode)
  const asset = findAsset(quote.asset.id) ?? fail('ASSET_NOT_ACCEPTED')
  let txHash = ''
  for (const units of unitsToSend(payCase, input.amount, payment, quote)) {
    const sent =
      payCase === 'wrong_token'
        ? await chain.payLookAlike({ to: quote.address, units })
        : await chain.pay({ asset, to: quote.address, units })
    txHash = sent.txHash
  }
  return { txHash, blockchainCode: chain.code }
}

/** The payment, pinned to what is asked for, else to what it is pinned to, else to the first option that can be paid. */
async function pinnedPayment(ctx: Context, scope: ProjectScope, reference: string, input: Input): Promise<Payment> {
  const payment = await getInScope(ctx, scope, reference)
  if (payment.quote && input.blockchainCode === undefined) return payment
  const option = (await listOptions(ctx, payment)).find(
    (one) =>
      one.ready &&
      (input.blockchainCode === undefined || one.blockchainCode === findBlockchain(input.blockchainCode)?.code) &&
      (input.currencyCode === undefined || one.currencyCode === input.currencyCode),
  )
  if (!option) return fail('ASSET_NOT_ACCEPTED')
  await pinPayment(ctx, reference, option)
  return getInScope(ctx, scope, reference)
}

function unitsToSend(
  payCase: PayCase,
  amount: string | undefined,
  payment: Payment,
  quote: PinnedQuote,
): readonly bigint[] {
  const { price, asset, dueUnits } = quote
  // The look-alike is no asset of ours: one dollar is a million of its units, as of the real one.
  if (payCase === 'wrong_token') return [amount === undefined ? payment.amountUsd : unitsOf(amount, 6)]
  if (amount !== undefined) return [unitsOf(amount, asset.decimals)]
  const missing = dueUnits - payment.seenUnits
  return partsOf(payCase, missing > 0n ? missing : dueUnits, { price, decimals: asset.decimals })
}

function unitsOf(amount: string, decimals: number): bigint {
  const fraction = amount.split('.')[1] ?? ''
  const message = `Amount must have at most ${decimals} decimals`
  return fraction.length > decimals
    ? fail('VALIDATION_FAILED', { message, fields: { amount: message } })
    : parseUnits(amount, decimals)
}

/** What the friend pays: a tenth of it is easy to see. */
const AMOUNT_USD = '50'

/** Where no campaign counts the payment yet. */
const CAMPAIGN: CampaignBody = {
  name: 'Bring a friend',
  description: 'Made by the sandbox.',
  currencyCode: 'USD',
  rewardType: 'percentage',
  rewardValue: '10',
  campaignTypePerCustomer: 'forever',
  eventKeys: [KASSA_PAYMENT_EVENT],
}

/** One promoter of each project brings all friends of the sandbox. */
const PROMOTER = { referenceID: 'sandbox-promoter', email: 'promoter@sandbox.example' }

/**
 * Makes what a reward needs, short of the money: a campaign where none counts the payment, the promoter, a friend nobody has
 * brought before, and the friend's payment.
 * @throws as `authenticateReferrer`, `linkReferee`, `createCampaign` and `createPayment`
 */
async function bringFriend(
  ctx: Context,
  projectId: number,
): Promise<{ promoterID: number; campaignID: number; referenceID: string; promoterPage: string }> {
  const { referrer: promoter, redirectURL } = await authenticateReferrer(ctx, projectId, PROMOTER)
  const counting = (await activeCampaignsOf(ctx, promoter)).find(({ events }) =>
    events.every(({ key }) => key === KASSA_PAYMENT_EVENT),
  )
  const campaign = counting ?? (await createCampaign(ctx, projectId, CAMPAIGN))
  const customerID = `sandbox-friend-${ctx.now().getTime()}`
  const email = `${customerID}@sandbox.example`
  await linkReferee(ctx, projectId, { referenceID: customerID, email, referrerCode: promoter.code })
  const { payment } = await createPayment(ctx, projectId, {
    customerID,
    customerEmail: email,
    amountInUSD: AMOUNT_USD,
    replace: true,
  })
  return {
    promoterID: promoter.id,
    campaignID: campaign.id,
    referenceID: payment.reference,
    promoterPage: redirectURL,
  }
}
