import type { InitiatedSweep } from '@kassa/contract/sweeps/approval-schemas.ts'
import type { BalanceRow, Sweep } from '@kassa/contract/sweeps/schemas.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'

import { me } from '../../../testing/answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import { COLLECTOR, wireFunds, wireSweep } from '../../../testing/sweep-answers.ts'
import { OwnWallet } from './OwnWallet.tsx'

const HASH = `0x${'cd'.repeat(32)}`
const stops: (() => void)[] = []

afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

/** A wallet of the browser; returns what it was asked to send. */
function fakeWallet(): unknown[] {
  const sent: unknown[] = []
  const answers: Record<string, unknown> = {
    eth_requestAccounts: ['0x1'],
    eth_chainId: '0x1',
    eth_sendTransaction: HASH,
  }
  const provider = {
    request: async ({ method, params }: { method: string; params?: unknown }) => {
      if (method === 'eth_sendTransaction') sent.push(params)
      return answers[method]
    },
  }
  const detail = { info: { uuid: 'fake', name: 'Fake', icon: '' }, provider }
  const announce = () => void window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', announce)
  stops.push(() => window.removeEventListener('eip6963:requestProvider', announce))
  return sent
}

it('records what a wallet has sent again, and has it send nothing a second time', async () => {
  const sent = fakeWallet()
  let isDown = true
  const sweep = wireSweep({ status: 'sweep-initiated', sentBy: 'own-wallet', txHash: null }) as unknown as Sweep
  const calls = stubServer({
    'GET /member/me': () => me(),
    'POST /sweep/blockchain/ETH/tx': () =>
      isDown ? refusal(503, 'SERVICE_UNAVAILABLE', 'Kassa is busy.') : { sweep: wireSweep() },
  })
  const handed = {
    ...{ sweepID: 21, sweep, fundCollector: COLLECTOR, expiresAt: new Date(Date.now() + 60_000) },
    transaction: { to: COLLECTOR, data: '0x00', value: '0', chainId: 1, gasLimit: '21000', maxFee: '1' },
  } as InitiatedSweep
  const row = wireFunds() as unknown as BalanceRow
  renderScreen(<OwnWallet row={row} handed={handed} onEnd={() => undefined} />, '/sweepIn')
  await userEvent.click(await screen.findByRole('button', { name: 'Open in Fake' }))
  expect(await screen.findByText('Kassa is busy.')).toBeDefined()
  expect(screen.getByLabelText<HTMLInputElement>(/^Transaction hash/).value).toBe(HASH)
  expect(screen.queryByRole('button', { name: 'Open in Fake' })).toBeNull()
  isDown = false
  await userEvent.click(screen.getByRole('button', { name: 'Record transaction' }))
  await waitFor(() => expect(calls.filter(({ path }) => path.endsWith('/tx'))).toHaveLength(2))
  expect(sent).toHaveLength(1)
})
