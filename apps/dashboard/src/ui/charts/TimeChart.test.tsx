import { cleanup, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { renderScreen } from '../../testing/render-screen.tsx'
import { Dialog } from '../overlays/Dialog.tsx'
import { TimeChart, type TimeChartProps } from './TimeChart.tsx'

afterEach(cleanup)

const POINTS = ['4 April', '5 April', '6 April'].map((name, index) => ({
  key: name,
  label: name,
  name,
  isCurrent: index === 2,
}))
const CHART: TimeChartProps = {
  name: 'Payments in USD',
  points: POINTS,
  series: [
    { key: 'USDC', name: 'USDC on Base', values: [0n, 5n, 10n] },
    { key: 'ETH', name: 'ETH', values: [7n, 0n, 2n ** 60n] },
  ],
  measure: { text: (units) => `$${units}.00`, tick: (units) => `$${units}` },
  hrefOf: (point, series) => `/payments?day=${point}&series=${series ?? 'all'}`,
}

const open = (props: Partial<TimeChartProps> = {}) => {
  const history = renderScreen(<TimeChart {...CHART} {...props} />, '/dashboard')
  return screen.findByRole('application', { name: 'Payments in USD' }).then((chart) => ({ chart, history }))
}
const spoken = () => document.querySelector('[aria-live=polite]')?.textContent

describe('a chart by keyboard alone', () => {
  it('is one stop, speaks each point, and Enter goes to what is behind it', async () => {
    const user = userEvent.setup()
    const { chart, history } = await open()
    await user.tab()
    expect(document.activeElement).toBe(chart)
    await user.keyboard('{ArrowLeft}')
    expect(spoken()).toBe('6 April, so far, $1152921504606846986.00, 3 of 3')
    await user.keyboard('{ArrowLeft}{ArrowDown}')
    expect(spoken()).toBe('5 April, USDC on Base, $5.00, 2 of 3')
    await user.keyboard('{ArrowDown}{Home}')
    expect(spoken()).toBe('4 April, ETH, $7.00, 1 of 3')
    await user.keyboard('{Enter}')
    await vi.waitFor(() => expect(history.location.search).toBe('?day=0&series=ETH'))
    await user.keyboard('{Escape}')
    expect(spoken()).toBe('')
    // The next stop is the legend, not another point.
    await user.tab()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'USDC on Base' }))
  })

  it('runs from left to right in every language', async () => {
    document.dir = 'rtl'
    const user = userEvent.setup()
    await open()
    await user.tab()
    await user.keyboard('{End}{ArrowLeft}')
    document.dir = ''
    expect(spoken()).toContain('5 April')
  })

  it('keeps a dialog open that an Escape is not meant for', async () => {
    const user = userEvent.setup()
    const onClose = vi.fn<() => void>()
    renderScreen(
      <Dialog title="Large" onClose={onClose}>
        <TimeChart {...CHART} />
      </Dialog>,
      '/dashboard',
    )
    const chart = await screen.findByRole('application', { name: 'Payments in USD' })
    chart.focus()
    await user.keyboard('{ArrowLeft}{Escape}')
    expect(onClose).not.toHaveBeenCalled()
    await user.keyboard('{Escape}')
    expect(onClose).toHaveBeenCalledOnce()
  })
})

describe('a chart by pointer', () => {
  it('marks the nearest point; a finger reads first and goes with its second press', async () => {
    const { chart, history } = await open()
    const overlay = chart.querySelector('a')
    if (overlay === null) throw new Error('There is no link over the marks')
    const at = { clientX: 0, clientY: 10 }
    fireEvent.pointerDown(overlay, { ...at, pointerType: 'touch' })
    fireEvent.click(overlay, at)
    expect(history.location.pathname + history.location.search).toBe('/dashboard')
    expect(chart.textContent).toContain('4 April')
    fireEvent.pointerDown(overlay, { ...at, pointerType: 'touch' })
    fireEvent.click(overlay, at)
    await vi.waitFor(() => expect(history.location.search).toContain('day=0'))
  })

  it('hides a series at a press of its name, shows it alone at two, and reads what is shown', async () => {
    const user = userEvent.setup()
    const { chart } = await open()
    const entry = screen.getByRole('button', { name: 'ETH' })
    await user.click(entry)
    expect(entry.getAttribute('aria-pressed')).toBe('false')
    chart.focus()
    await user.keyboard('{Home}')
    expect(spoken()).toBe('4 April, $0.00, 1 of 3')
    await user.click(entry)
    await user.dblClick(screen.getByRole('button', { name: 'USDC on Base' }))
    expect(screen.getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent)).toEqual([
      'USDC on Base',
    ])
  })
})

describe('a chart without figures', () => {
  it('keeps its frame and says so; keys find nothing in it', async () => {
    const user = userEvent.setup()
    const { chart } = await open({ points: [], series: [], empty: 'No payments in this period.' })
    expect(chart.textContent).toContain('No payments in this period.')
    await user.tab()
    await user.keyboard('{Home}{Enter}')
    expect(spoken()).toBe('')
  })
})
