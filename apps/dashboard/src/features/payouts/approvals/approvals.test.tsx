import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { me, project } from '../../../testing/answers.ts'
import { WIRE_METRICS, wirePayout, wirePayouts } from '../../../testing/payout-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { stubServer } from '../../../testing/stub-server.ts'
import { Approvals } from '../Approvals.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

/** The page of approvals, and the way to another project. */
function Switched() {
  const [projectId, setProject] = useState('7')
  return (
    <>
      <button onClick={() => setProject('8')}>switch</button>
      <Approvals projectId={projectId} />
    </>
  )
}

describe('approvals: another project', () => {
  it('shows nothing of the project before, and says of none of its payouts that it was decided', async () => {
    let answer: (rows: unknown) => void = () => undefined
    const isAsked = new Promise<unknown>((done) => (answer = done))
    stubServer({
      'GET /member/me': () => me('root'),
      'GET /external-platform/all': () => [project(7, 'Acme'), project(8, 'Beta')],
      'GET /project/7/withdrawals': (_call, query) =>
        wirePayouts(query.get('waitingFor') === 'me' ? [wirePayout()] : []),
      'GET /project/7/withdrawals/metrics': () => WIRE_METRICS,
      'GET /project/8/withdrawals': async (_call, query) =>
        query.get('waitingFor') === 'me' ? isAsked : wirePayouts([]),
    })
    renderScreen(<Switched />, '/withdraw/approvals')
    await screen.findByRole('article', { name: /800\sUSDC to Supplier A/ })
    await userEvent.click(screen.getByText('switch'))
    await waitFor(() => expect(screen.queryByRole('article')).toBeNull())
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
    answer(wirePayouts([]))
    expect(await screen.findByText('Nothing waits for you.')).toBeDefined()
    expect(screen.queryByText(/was decided/)).toBeNull()
  })
})
