/** A second person with an authenticator app, who may approve what another one asked for. */
import { accountRoutes } from '@kassa/contract/auth/account-routes.ts'
import { factorRoutes } from '@kassa/contract/auth/factor-routes.ts'
import { passwordRoutes } from '@kassa/contract/auth/password-routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import type { Page } from 'playwright-core'

import { apiOf } from './api.ts'
import { openAuthenticator } from './authenticator.ts'
import type { Shop } from './shop.ts'

const OLGA = { email: 'olga@shop.example', password: 'Another.Horse8' }

export type Approver = {
  /** The key of their session. */
  readonly session: string
  /** Answers the dialog that asks who is there with the next code of the app. */
  readonly confirm: (page: Page) => Promise<void>
}

/** Invites a second person, who joins and adds an authenticator app. */
export async function joinAsApprover(shop: Shop): Promise<Approver> {
  const { invitation } = await shop.operator(accountRoutes.inviteMember, {
    body: { email: OLGA.email, roleName: 'admin' },
  })
  const resetPasswordToken = new URL(invitation?.url ?? '').searchParams.get('resetPasswordToken') ?? ''
  const anyone = apiOf(shop.url)
  await anyone(passwordRoutes.resetPassword, { body: { password: OLGA.password, resetPasswordToken } })
  const { key: session } = await anyone(authRoutes.signIn, { body: OLGA })
  const own = apiOf(shop.url, session)
  const { secret } = await own(factorRoutes.beginTotp)
  const nextCode = openAuthenticator(secret)
  await own(factorRoutes.confirmTotp, { body: { code: await nextCode() } })
  return {
    session,
    confirm: async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
      await dialog.getByText('What you confirm is exactly this.').waitFor()
      await dialog.getByRole('textbox', { name: 'Code of the authenticator app' }).fill(await nextCode())
      await dialog.getByRole('button', { name: 'Confirm' }).click()
    },
  }
}
