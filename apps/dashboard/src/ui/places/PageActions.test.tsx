import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'

import { Button } from '../actions/Button.tsx'
import { Dialog } from '../overlays/Dialog.tsx'
import { PageHead } from './PageHead.tsx'

afterEach(cleanup)

const more = () => screen.getByRole('button', { name: 'More actions' })
const hasMore = () => screen.queryByRole('button', { name: 'More actions' }) !== null
const isFolded = (name: string) => screen.getByRole('button', { name }).closest('.max-sm\\:hidden') !== null

function drawBoth() {
  render(
    <PageHead
      title="All payments"
      primary={<Button kind="primary">Create payment link</Button>}
      actions={<Button>Find a transaction</Button>}
    />,
  )
}

describe('the actions of a page', () => {
  it('folds the others on a phone where there is a primary one', () => {
    drawBoth()
    expect([
      more().getAttribute('aria-expanded'),
      isFolded('Find a transaction'),
      isFolded('Create payment link'),
    ]).toEqual(['false', true, false])
    fireEvent.click(more())
    expect([more().getAttribute('aria-expanded'), isFolded('Find a transaction')]).toEqual(['true', false])
  })

  it('folds them again on Escape, with the focus on the button, and when the focus goes elsewhere', () => {
    drawBoth()
    fireEvent.click(more())
    fireEvent.keyDown(screen.getByRole('button', { name: 'Find a transaction' }), { key: 'Escape' })
    expect([isFolded('Find a transaction'), document.activeElement === more()]).toEqual([true, true])

    fireEvent.click(more())
    fireEvent.blur(more(), { relatedTarget: screen.getByRole('button', { name: 'Find a transaction' }) })
    expect(isFolded('Find a transaction')).toBe(false)
    fireEvent.blur(more(), { relatedTarget: screen.getByRole('heading') })
    expect(isFolded('Find a transaction')).toBe(true)
  })

  it('leaves Escape to a dialog of an action', () => {
    render(
      <PageHead
        title="All payments"
        primary={<Button>Create payment link</Button>}
        actions={
          <Dialog title="Find a transaction" onClose={() => undefined}>
            <Button>Search</Button>
          </Dialog>
        }
      />,
    )
    fireEvent.click(more())
    fireEvent.keyDown(screen.getByRole('button', { name: 'Search' }), { key: 'Escape' })
    expect(more().getAttribute('aria-expanded')).toBe('true')
  })

  it('needs no button for the others where one kind is alone, and no bar where there is nothing', () => {
    const { container, rerender } = render(<PageHead title="Developers" actions={<Button>OpenAPI</Button>} />)
    expect([hasMore(), isFolded('OpenAPI')]).toEqual([false, false])
    rerender(<PageHead title="Deposit wallets" primary={<Button>Add deposit wallet</Button>} />)
    expect(hasMore()).toBe(false)
    rerender(<PageHead title="Deposit wallets" primary={false} actions={undefined} />)
    expect(container.querySelector('.page-actions')).toBeNull()
  })
})
