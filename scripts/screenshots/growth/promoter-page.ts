/** The page of a promoter, in the states that a seeded programme does not reach by itself. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from 'playwright-core'

import { renderExpired, renderPromoter } from '../../../apps/checkout/src/render/promoter/page.ts'
import type { PromoterView } from '../../../apps/checkout/src/render/promoter/view.ts'
import { translatorOf } from '../../../apps/checkout/src/render/text/translator.ts'
import { MIRRORED } from '../../../apps/checkout/src/testing/pseudo.ts'
import { PROMOTER } from '../../../apps/checkout/src/testing/promoter.ts'
import { API, refusal } from '../answers.ts'
import { inSet, type Screen } from '../camera.ts'
import type { Seed } from '../seed.ts'

const BUILD = join(import.meta.dirname, '../../../apps/checkout/build')

const OWN = `${API}/referral/referrers/withdrawals`

/** Fills in where to, and asks for a code. */
async function askCode(shown: Page): Promise<void> {
  await shown.getByRole('textbox', { name: 'Your address' }).fill('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')
  await shown.getByRole('button', { name: 'Send me a code' }).click()
  await shown.getByRole('textbox', { name: 'Code from the mail' }).waitFor()
}

/** There is no sign-in: the link is the key. */
export function promoterPages({ programme }: Seed): readonly Screen[] {
  const { promoter } = JSON.parse(readFileSync(join(BUILD, 'manifest.json'), 'utf8')) as { readonly promoter: string }
  const script = readFileSync(join(BUILD, promoter), 'utf8')
  const page = (name: string, more: Partial<PromoterView>): Screen => ({
    name: `promoter-page-${name}`,
    path: `/referral/${name}`,
    document: renderPromoter({ ...PROMOTER, script, ...more }).html,
    shows: /\w/,
  })
  const own = (more: Partial<PromoterView['page']>) => ({ page: { ...PROMOTER.page, ...more } })
  // A real code per picture would soon be one too many.
  const asked = {
    path: programme.link,
    alters: {
      [`POST ${OWN}/otp`]: { otpSent: true, expiresAt: new Date(Date.now() + 600_000).toISOString() },
      [`POST ${OWN}`]: refusal(400, 'ADDRESS_INVALID', 'The checksum of the address is wrong.'),
    },
  }
  return [
    ...inSet('A', [
      { name: 'promoter-page', path: programme.link, shows: 'Your referrals' },
      page('full', { now: new Date() }),
    ]),
    page('empty', { ...own({ balances: [], campaigns: [], refereeCount: 0 }), rewards: [], withdrawals: [] }),
    page('inactive', own({ referrer: { ...PROMOTER.page.referrer, status: 'inactive' } })),
    page('mirrored', { translator: translatorOf(MIRRORED) }),
    { ...page('expired', {}), document: renderExpired().html },
    { ...asked, name: 'promoter-page-code', shows: 'Code from the mail', act: askCode },
    {
      ...asked,
      name: 'promoter-page-refused',
      shows: 'This is not a valid address on this network.',
      act: async (shown) => {
        await askCode(shown)
        await shown.getByRole('textbox', { name: 'Code from the mail' }).fill('123456')
        await shown.getByRole('button', { name: 'Withdraw', exact: true }).click()
      },
    },
  ]
}
