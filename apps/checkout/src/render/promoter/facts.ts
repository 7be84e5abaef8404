import { explorerLink } from '../panels/actions.ts'
import { amount } from '../text/amounts.ts'
import { html } from '../markup/html.ts'
import type { Html } from '../markup/html.ts'
import type { Translator } from '../text/translator.ts'
import type {
  Offer,
  OfferLimit,
  PromoterCampaign,
  PromoterReward,
  PromoterTotals,
  PromoterView,
  PromoterWithdrawal,
  Sum,
} from './view.ts'

const DAY_MS = 24 * 3_600_000

/** Draws what the script keeps up to date: totals, campaigns, rewards and withdrawals. */
export function facts(view: PromoterView, translator: Translator): Html {
  return html`<div id="facts" class="stack">
    ${view.totals.map((totals) => tiles(totals, translator))}
    ${
      view.broughtCount > 0 &&
      html`<p class="muted">${translator.say('promoter.brought', { people: view.broughtCount })}</p>`
    }
    ${campaigns(view, translator)}
    <section class="part">
      <h2>${translator.say('promoter.activity')}</h2>
      ${
        view.rewards.length === 0
          ? html`<p class="muted">${translator.say('promoter.noRewards')}</p>`
          : html`<ul class="rows">
              ${view.rewards.map((one) => reward(one, translator))}
            </ul>`
      }
    </section>
    ${
      view.withdrawals.length > 0 &&
      html`<section class="part">
        <h2>${translator.say('promoter.withdrawals')}</h2>
        <ul class="rows">
          ${view.withdrawals.map((one) => withdrawal(one, translator))}
        </ul>
      </section>`
    }
  </div>`
}

function tiles(totals: PromoterTotals, translator: Translator): Html {
  const tile = (name: string, value: string) =>
    html`<div>
      <dt>${name}</dt>
      <dd>${amount(value, totals.currencyCode)}</dd>
    </div>`
  return html`<dl class="tiles">
    ${tile(translator.text('promoter.earned'), totals.earned)}${tile(translator.text('promoter.ready'), totals.available)}${tile(translator.text('promoter.held'), totals.held)}${tile(translator.text('promoter.paid'), totals.paid)}
  </dl>`
}

function campaigns({ campaigns: active, now }: PromoterView, translator: Translator): Html | null {
  if (active.length === 0) return null
  return html`<section class="part">
    <h2>${translator.say('promoter.campaigns')}</h2>
    <ul>
      ${active.map((campaign) => html`<li>${sentences(campaign, translator, now)}</li>`)}
    </ul>
  </section>`
}

/** A campaign in sentences: who gets what, how often, until when. */
function sentences(campaign: PromoterCampaign, translator: Translator, now: Date): Html {
  const { name, description, reward: own, inviteeReward, limit, endDate } = campaign
  const said = [
    own && translator.say('promoter.youGet', { what: offered(own, translator) }),
    inviteeReward && translator.say('promoter.theyGet', { what: offered(inviteeReward, translator) }),
    limited(limit, translator),
    endDate && translator.say('promoter.daysLeft', { days: daysUntil(endDate, now) }),
  ].filter((one) => one !== null)
  const own_words = description !== '' && html`<span class="small muted"><bdi>${description}</bdi></span>`
  return html`<strong><bdi>${name}</bdi></strong> ${said.map((sentence) => html`${sentence} `)}${own_words}`
}

function offered(offer: Offer, translator: Translator): Html {
  if ('amount' in offer) return money(offer.amount)
  const percent = html`<bdi dir="ltr" class="nw">${offer.percent} %</bdi>`
  if (offer.cap === null) return translator.say('promoter.share.of', { percent })
  return translator.say('promoter.share.capped', { percent, cap: money(offer.cap) })
}

function limited(limit: OfferLimit, translator: Translator): Html | null {
  if (limit.kind === 'once') return translator.say('promoter.once')
  if (limit.kind === 'months') return translator.say('promoter.months', { months: limit.n })
  return limit.kind === 'times' ? translator.say('promoter.times', { times: limit.n }) : null
}

function daysUntil(end: Date, now: Date): number {
  return Math.max(1, Math.ceil((end.getTime() - now.getTime()) / DAY_MS))
}

const REWARD_WORDS = {
  pending: 'promoter.ready',
  held: 'promoter.held',
  processed: 'promoter.paid',
  reversed: 'promoter.takenBack',
} as const

function reward(one: PromoterReward, translator: Translator): Html {
  return html`<li>
    <span><bdi>${one.campaign}</bdi> <span class="small muted">${when(one.createdAt, translator)}</span></span>
    <span>${money(one)} <span class="small muted">${translator.say(REWARD_WORDS[one.status])}</span></span>
  </li>`
}

const WITHDRAWAL_WORDS = {
  waiting: 'promoter.waits',
  sending: 'promoter.sending',
  paid: 'promoter.paid',
  returned: 'promoter.returned',
} as const

function withdrawal(one: PromoterWithdrawal, translator: Translator): Html {
  const currency = { amount: one.amount, unit: one.currencyCode }
  return html`<li>
    <span
      >${translator.say('option', { currency, network: one.network })}
      <span class="small muted">${when(one.createdAt, translator)}</span>
      <bdi dir="ltr" class="mono small">${one.toAddress}</bdi></span
    >
    <span
      >${translator.say(WITHDRAWAL_WORDS[one.state])}
      ${one.explorerTransaction !== null && explorerLink(translator, one.explorerTransaction, translator.text('transaction'), 'small')}</span
    >
  </li>`
}

function money({ amount: value, currencyCode }: Sum): Html {
  return amount(value, currencyCode)
}

function when(at: Date, translator: Translator): Html {
  return html`<time datetime="${at.toISOString()}"><bdi>${translator.dayAndTime(at)}</bdi></time>`
}
