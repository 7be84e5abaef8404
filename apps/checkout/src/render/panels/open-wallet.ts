import { html } from '../markup/html.ts'
import type { Html } from '../markup/html.ts'
import { publicPage } from '../links.ts'
import type { ViewModel } from '../view-model.ts'
import { payFacts } from './wallet.ts'
import { EVM_WALLET_APPS } from './wallet-apps.ts'

/**
 * Draws "Open wallet app" for phones and tablets, which works without a script. Wallets of the EVM open this page in a browser of
 * their own, where "Pay with wallet" does the rest: a payment link for a token is read wrongly by several of them, and stands
 * beside its code with a warning. Where a phone may not reach this page, and on other networks, it is the payment link.
 */
export function openWallet(viewModel: ViewModel, link: string | null): Html | null {
  const { translator: words } = viewModel
  const page = payFacts(viewModel) === null ? null : publicPage(compactUrl(viewModel), viewModel.siteUrl)
  if (page === null) {
    return link === null ? null : html`<a class="button only-touch" href="${link}">${words.say('openWallet')}</a>`
  }
  const apps = EVM_WALLET_APPS.map(
    ({ name, open }) => html`<a class="button" href="${open(page)}"><bdi>${name}</bdi></a>`,
  )
  return html`<details class="only-touch apps" id="wallet-apps">
    <summary class="button" id="wallet-apps-toggle">${words.say('openWallet')}</summary>
    <p class="small muted">${words.say('openWalletHelp')}</p>
    <div class="actions">${apps}</div>
  </details>`
}

/** The same page without header and footer, for a shop's pop-up and the browsers of wallets. */
function compactUrl({ pageUrl }: ViewModel): string {
  return pageUrl.replace(/^\/payments\?/, '/pay?')
}
