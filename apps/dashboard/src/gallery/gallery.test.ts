import { describe, expect, it } from 'vitest'

import { ACTIONS } from './actions.tsx'
import { CHARTS } from './charts.tsx'
import { FACTS } from './facts.tsx'
import { FEEDBACK } from './feedback.tsx'
import { FIELDS } from './fields.tsx'
import { LISTS } from './lists.tsx'
import { OVERLAYS } from './overlays.tsx'
import { PLACES } from './places.tsx'

/** Pieces of parts, the head of the gallery itself, what draws nothing before something is left, and every sentence. */
const NOT_ALONE = [
  'RaiseFeeDialog',
  'Axes',
  'Bars',
  'Legend',
  'Lines',
  'Patterns',
  'PointTip',
  'Field',
  'FilterEditor',
  'FilterSheet',
  'TableBox',
  'TableHead',
  'TableCards',
  'TableFoot',
  'TableRows',
  'RowCheckbox',
  'RowMenuButton',
  'PageHead',
  'LeaveGuard',
  'DiscardDialog',
  'None',
  'Trans',
]

const files = Object.keys(import.meta.glob('../ui/*/*.tsx')).filter((path) => !path.endsWith('.test.tsx'))
const parts = files.map((path) => path.replace(/^.*\//, '').replace('.tsx', ''))

describe('gallery', () => {
  it('shows every part of ui, and no other', () => {
    const shown = [ACTIONS, FIELDS, FACTS, CHARTS, FEEDBACK, PLACES, LISTS, OVERLAYS].flat().map(({ name }) => name)
    expect(shown.toSorted()).toEqual(parts.filter((name) => !NOT_ALONE.includes(name)).toSorted())
  })
})
