import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'

import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import { depositWallet, walletAnswers } from '../../../testing/wallet-answers.ts'
import { AddListDialog } from './AddListDialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const LIST = { family: 'SOL_Family', addresses: [{ index: 0, address: 'HAgk14', signature: '5Ver' }] }

it('goes on where it ended when a project could not be linked to the list that was added', async () => {
  let isDown = true
  const calls = stubServer({
    ...walletAnswers([]),
    'POST /wallets/deposit/eoa/bulk': () => depositWallet(9, 'Solana', [7]),
    'POST /project/7/wallet': () => [],
    'POST /project/8/wallet': () => (isDown ? refusal(503, 'SERVICE_UNAVAILABLE', 'Kassa is busy.') : []),
  })
  const onClose = vi.fn<() => void>()
  renderScreen(<AddListDialog wallets={[]} wallet={undefined} onClose={onClose} />, '/manageWallet/deposit-wallet')
  const dialog = within(await screen.findByRole('dialog', { name: 'Add address list' }))
  expect(await dialog.findByRole('checkbox', { name: 'Beta' })).toBeDefined()
  const file = document.querySelector<HTMLInputElement>('input[type="file"]') ?? document.body
  await userEvent.upload(file, new File([JSON.stringify(LIST)], 'list.json', { type: 'application/json' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Add addresses' }))
  expect(await dialog.findByText('Kassa is busy.')).toBeDefined()
  isDown = false
  await userEvent.click(dialog.getByRole('button', { name: 'Add addresses' }))
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled())
  const added = calls.filter(({ method, path }) => method === 'POST' && !path.startsWith('/project'))
  expect(added).toHaveLength(1)
  expect(calls.filter(({ path }) => path === '/project/8/wallet')).toHaveLength(2)
})
