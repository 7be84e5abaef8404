import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

import { explorerLink } from '../panels/actions.ts'
import { amount, trimZeros } from '../text/amounts.ts'
import { html } from '../markup/html.ts'
import type { Html } from '../markup/html.ts'
import { spelledAddress } from '../markup/spelled-address.ts'
import type { Translator } from '../text/translator.ts'
import type { OwnReward, OwnWithdrawalRow, PromoterCampaign, PromoterPage, PromoterView } from './view.ts'

const DAY_MS = 24 * 3_600_000

/** Draws what the script keeps up to date: totals, campaigns, rewards and withdrawals. */
export function facts({ page, rewards, withdrawals, now }: PromoterView, translator: Translator): Html {
  const balances = page.balances.length > 0 ? page.balances : [page.totals]
  return html`<div id="facts" class="stack">
    ${balances.map((balance) => tiles(balance, translator))}
    ${
      page.refereeCount > 0 &&
      html`<p class="muted">${translator.say('promoter.brought', { people: page.refereeCount })}</p>`
    }
    ${page.campaigns.length > 0 && campaigns(page.campaigns, translator, now)}
    <section class="part">
      <h2>${translator.say('promoter.activity')}</h2>
      ${
        rewards.length === 0
          ? html`<p class="muted">${translator.say('promoter.noRewards')}</p>`
          : html`<ul class="rows">
              ${rewards.map((one) => reward(one, translator))}
            </ul>`
      }
    </section>
    ${
      withdrawals.length > 0 &&
      html`<section class="part">
        <h2>${translator.say('promoter.withdrawals')}</h2>
        <ul class="rows">
          ${withdrawals.map((one) => withdrawal(one, translator))}
        </ul>
      </section>`
    }
  </div>`
}

function tiles({ currencyCode, earned, available, held, paid }: PromoterPage['totals'], translator: Translator): Html {
  const tile = (name: string, value: string) =>
    html`<div>
      <dt>${name}</dt>
      <dd>${amount(value, currencyCode)}</dd>
    </div>`
  return html`<dl class="tiles">
    ${tile(translator.text('promoter.earned'), earned)}${tile(translator.text('promoter.ready'), available)}${tile(translator.text('promoter.held'), held)}${tile(translator.text('promoter.paid'), paid)}
  </dl>`
}

function campaigns(active: PromoterPage['campaigns'], translator: Translator, now: Date): Html {
  return html`<section class="part">
    <h2>${translator.say('promoter.campaigns')}</h2>
    <ul>
      ${active.map((campaign) => html`<li>${sentences(campaign, translator, now)}</li>`)}
    </ul>
  </section>`
}

/** A campaign in sentences: who gets what, how often, until when. */
function sentences(campaign: PromoterCampaign, translator: Translator, now: Date): Html {
  const { name, description, reward: own, inviteeReward, endDate, currencyCode } = campaign
  const said = [
    own && translator.say('promoter.youGet', { what: offered(own, currencyCode, translator) }),
    inviteeReward && translator.say('promoter.theyGet', { what: offered(inviteeReward, currencyCode, translator) }),
    limited(campaign, translator),
    endDate && translator.say('promoter.daysLeft', { days: daysUntil(endDate, now) }),
  ].filter((one) => one !== null)
  const words =
    description !== null && description !== '' && html`<span class="small muted"><bdi>${description}</bdi></span>`
  return html`<strong><bdi>${name}</bdi></strong> ${said.map((sentence) => html`${sentence} `)}${words}`
}

function offered(
  { type, value, cap }: NonNullable<PromoterCampaign['reward']>,
  currencyCode: string,
  translator: Translator,
): Html {
  if (type === 'flat_fee') return amount(value, currencyCode)
  const percent = html`<bdi dir="ltr" class="nw">${trimZeros(value)}%</bdi>`
  if (cap === null) return translator.say('promoter.share.of', { percent })
  return translator.say('promoter.share.capped', { percent, cap: amount(cap, currencyCode) })
}

function limited(campaign: PromoterCampaign, translator: Translator): Html | null {
  const { campaignTypePerCustomer: type, validityMonthsPerCustomer, maxOccurrencesPerCustomer } = campaign
  if (type === 'one_time') return translator.say('promoter.once')
  if (type === 'months_per_customer') return translator.say('promoter.months', { months: validityMonthsPerCustomer })
  return type === 'forever' ? null : translator.say('promoter.times', { times: maxOccurrencesPerCustomer })
}

function daysUntil(end: Date, now: Date): number {
  return Math.max(1, Math.ceil((end.getTime() - now.getTime()) / DAY_MS))
}

const REWARD_WORDS = {
  pending: 'promoter.ready',
  held: 'promoter.held',
  processed: 'promoter.paid',
  reversed: 'promoter.reversed',
} as const

function reward(one: OwnReward, translator: Translator): Html {
  return html`<li>
    <span><bdi>${one.campaign}</bdi> <span class="small muted">${when(one.createdAt, translator)}</span></span>
    <span
      >${amount(one.amount, one.currencyCode)}
      <span class="small muted">${translator.say(REWARD_WORDS[one.status])}</span></span
    >
  </li>`
}

const WITHDRAWAL_WORDS = {
  'pending-approval': 'promoter.waits',
  pending: 'promoter.sending',
  initiated: 'promoter.sending',
  sent: 'promoter.sending',
  processed: 'promoter.paid',
  rejected: 'promoter.returned',
  cancelled: 'promoter.returned',
  failed: 'promoter.returned',
} as const

function withdrawal(one: OwnWithdrawalRow, translator: Translator): Html {
  // What it is in coins is known once a person has approved it.
  const currency =
    one.amount === null
      ? { amount: one.rewardAmount, unit: one.rewardCurrencyCode }
      : { amount: one.amount, unit: one.currencyCode }
  const network = findBlockchain(one.blockchainCode)?.name ?? one.blockchainCode
  return html`<li>
    <span
      >${translator.say('option', { currency, network })}
      <span class="small muted">${when(one.createdAt, translator)}</span>
      <bdi dir="ltr" class="mono small grouped">${spelledAddress(one.toAddress)}</bdi></span
    >
    <span
      >${translator.say(WITHDRAWAL_WORDS[one.status])}
      ${one.reason !== null && html`<span class="small muted"><bdi>${one.reason}</bdi></span>`}
      ${one.explorerTransaction !== null && explorerLink(translator, one.explorerTransaction, translator.text('transaction'), 'small')}</span
    >
  </li>`
}

function when(at: Date, translator: Translator): Html {
  return html`<time datetime="${at.toISOString()}"><bdi>${translator.dayAndTime(at)}</bdi></time>`
}
