/** How money of addresses that have keys of their own is brought home in the browser: a contract, then signatures for it. */
import { sweepApprovalsRoutes } from '@kassa/contract/sweeps/approval-routes.ts'
import type { Page } from 'playwright-core'

import { violationsOf } from './browser.ts'
import { PHRASE, type Shop } from './shop.ts'

/** Has the wallet of the page create the contract that such addresses approve; where it stands. */
export async function deployForApprovals(
  page: Page,
  shop: Shop,
  on: { readonly network: string; readonly currency: string },
): Promise<string> {
  const press = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).click()
  await page.goto(`/manageWallet/sweepContract/deploy?network=${on.network}&for=approvals`)
  await press('Connect wallet')
  await press('Continue')
  await page.getByText('code hash equals the release').waitFor()
  if ((await violationsOf(page)).length > 0) throw new Error('The page that deploys cannot be used by everybody')
  await press('Continue')
  await press('Open in wallet')
  await page.getByText(/^Verified/).waitFor()
  const params = { b: on.network, c: on.currency }
  const { contract } = await shop.operator(sweepApprovalsRoutes.getApprovalOverview, { params })
  if (contract === null) throw new Error('The contract is not known')
  return contract.address
}

/** Signs the batch in the drawer with the words of the shop, for the contract and the cold address that a person enters. */
export async function signInPage(page: Page, { contract, cold }: { contract: string; cold: string }): Promise<void> {
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: 'Sign here' }).click()
  const signer = page.frameLocator('iframe[title=Signer]')
  await signer.getByLabel('Recovery phrase, 12 to 24 words').fill(PHRASE)
  await signer.getByRole('button', { name: 'Open' }).click()
  await signer.getByLabel('Vault (sweep contract)').fill(contract)
  await signer.getByLabel('Collector (your cold address)').fill(cold)
  await signer.getByRole('button', { name: 'Remember' }).click()
  await signer.getByRole('button', { name: 'Sign', exact: true }).click()
  await drawer.getByText('1 signature accepted.').waitFor()
}

/** Sweeps the one address that is approved, from the drawer. */
export async function sweepApproved(page: Page): Promise<void> {
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: 'Go on to Execute' }).click()
  await drawer.getByRole('button', { name: 'Sweep 1 address' }).click()
  const question = page.getByRole('dialog', { name: 'Sweep to your cold wallet?' })
  await question.getByRole('button', { name: 'Sweep 1 address' }).click()
  await page.getByText(/^Sweep \d+ started$/).waitFor()
}
