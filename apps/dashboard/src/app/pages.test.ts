import { t } from '@lingui/core/macro'
import { describe, expect, it } from 'vitest'

import { paths } from '../lib/paths.ts'
import { guard } from './navigation/guard.ts'
import { PAGES } from './pages.ts'
import { routeTree } from './router.tsx'

type Node = { readonly options: unknown; readonly children?: unknown }

function routesOf(node: Node): { path?: string }[] {
  const children = Object.values(node.children ?? {}) as Node[]
  return [node.options as { path?: string }, ...children.flatMap(routesOf)]
}

/** An address of the page, a word in place of each parameter. */
const addressOf = (pattern: string) => pattern.replaceAll(/\{\w+\}/g, 'x')

describe('pages', () => {
  it('has one page for every path, and a path for every page', () => {
    expect(new Set(PAGES.map(({ path }) => path))).toEqual(new Set(Object.values(paths)))
    expect(PAGES).toHaveLength(Object.values(paths).length)
    for (const { path } of PAGES) {
      // The first that matches is shown: `campaigns/new` stands before `campaigns/{id}`.
      expect(PAGES.find((page) => page.path.matches(addressOf(path.pattern)))?.path).toBe(path)
    }
  })

  it('gives every page a title and a budget of bytes that leaves room for the frame', () => {
    for (const { title, budget } of PAGES) {
      expect(t(title)).not.toBe('')
      expect(budget).toBeGreaterThan(0)
      expect(budget).toBeLessThanOrEqual(40)
    }
  })

  it('is what the router knows', () => {
    const patterns = routesOf(routeTree).flatMap(({ path }) => path ?? [])
    expect(new Set(patterns.map((path) => path.replaceAll(/\$(\w+)/g, '{$1}')))).toEqual(
      new Set([...PAGES.map(({ path }) => path.pattern), '$']),
    )
  })

  it('is what a visitor without a key is kept from, unless anyone may open it', () => {
    for (const { path, layout } of PAGES) {
      const pathname = addressOf(path.pattern)
      const visit = guard({ pathname, search: '', hasKey: false, lastProject: undefined })
      expect(visit).toBe(layout === 'shell' ? paths.signIn({ next: pathname }) : undefined)
    }
  })

  it('shows a permission for every page of the frame but those of everyone signed in', () => {
    const open = PAGES.filter(({ layout, permission }) => layout === 'shell' && permission === undefined)
    expect(open.map(({ path }) => path)).toEqual([paths.developers, paths.settings, paths.profile, paths.security])
  })
})
