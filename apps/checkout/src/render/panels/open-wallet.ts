import { html } from '../markup/html.ts'
import type { Html } from '../markup/html.ts'
import { publicPage } from '../links.ts'
import type { ViewModel } from '../view-model.ts'
import { familyOf } from '../view-model.ts'
import { payFacts } from './wallet.ts'
import { EVM_WALLET_APPS } from './wallet-apps.ts'

/**
 * Draws "Open wallet app" for phones and tablets; it works without a script. EVM wallets open this page in their own browser,
 * where the customer presses "Pay with wallet", because several of them misread the payment URI of a token (that URI is
 * shown beside the QR code, with a warning). On other networks, or when this page has no public URL, it is the payment URI.
 */
export function openWallet(viewModel: ViewModel, link: string | null): Html | null {
  const { translator } = viewModel
  const isEvm = familyOf(viewModel) === 'ETH_Family' && payFacts(viewModel) !== null
  const page = !isEvm ? null : publicPage(compactUrl(viewModel), viewModel.siteUrl)
  if (page === null) {
    return link === null ? null : html`<a class="button only-touch" href="${link}">${translator.say('openWallet')}</a>`
  }
  const apps = EVM_WALLET_APPS.map(
    ({ name, open }) => html`<a class="button" href="${open(page)}"><bdi>${name}</bdi></a>`,
  )
  return html`<details class="only-touch apps" id="wallet-apps">
    <summary class="button" id="wallet-apps-toggle">${translator.say('openWallet')}</summary>
    <p class="small muted">${translator.say('openWalletHelp')}</p>
    <div class="actions">${apps}</div>
  </details>`
}

/** The URL of the same page without header and footer, for a shop's pop-up and for wallets' own browsers. */
function compactUrl({ pageUrl }: ViewModel): string {
  return pageUrl.replace(/^\/payments\?/, '/pay?')
}
