import { useEffect } from 'react'

import { useSearchState } from '../lib/navigation/search.ts'
import { Banner } from '../ui/feedback/Banner.tsx'
import { PageHead } from '../ui/places/PageHead.tsx'
import { RadioGroup } from '../ui/fields/RadioGroup.tsx'
import { Toaster } from '../ui/feedback/Toaster.tsx'
import { ACTIONS } from './actions.tsx'
import { CHARTS } from './charts.tsx'
import { FACTS } from './facts.tsx'
import { FEEDBACK } from './feedback.tsx'
import { FIELDS } from './fields.tsx'
import { LISTS } from './lists.tsx'
import { OVERLAYS } from './overlays.tsx'
import { PLACES } from './places.tsx'
import type { Part } from './specimen.ts'

const GROUPS: readonly { readonly title: string; readonly parts: readonly Part[] }[] = [
  { title: 'Actions', parts: ACTIONS },
  { title: 'Fields', parts: FIELDS },
  { title: 'Facts', parts: FACTS },
  { title: 'Charts', parts: CHARTS },
  { title: 'Feedback', parts: FEEDBACK },
  { title: 'Places', parts: PLACES },
  { title: 'Lists', parts: LISTS },
  { title: 'What lies on top', parts: OVERLAYS },
]

const DIRECTIONS = [
  { value: 'ltr', label: 'Left to right' },
  { value: 'rtl', label: 'Right to left' },
] as const

/** Shows every part of `ui/`; `?dir=rtl` turns the page around, `?groups=Actions,Feedback` shows these groups alone. */
export function Gallery() {
  const [search, setSearch] = useSearchState()
  const direction = search['dir'] === 'rtl' ? 'rtl' : 'ltr'
  const chosen = search['groups']?.split(',')
  useEffect(() => {
    document.documentElement.dir = direction
  }, [direction])
  return (
    <main className="mx-auto flex max-w-[1200px] flex-col gap-10 px-4 pt-6 pb-24">
      <PageHead title="Gallery" text="Every part of the dashboard, in every state." />
      <Banner tone="info">Nothing here reaches a server.</Banner>
      <RadioGroup
        legend="Direction"
        options={DIRECTIONS}
        value={direction}
        onChange={(dir) => setSearch({ dir: dir === 'rtl' ? dir : undefined })}
      />
      {GROUPS.filter(({ title }) => chosen?.includes(title) ?? true).map(({ title, parts }) => (
        <section key={title} aria-labelledby={title} className="flex flex-col gap-6">
          <h2 id={title} className="text-h2 font-semibold">
            {title}
          </h2>
          {parts.map((part) => (
            <Shelf key={part.name} part={part} />
          ))}
        </section>
      ))}
      <Toaster />
    </main>
  )
}

function Shelf({ part: { name, wide = false, specimens } }: { part: Part }) {
  return (
    <section aria-label={name} className="rounded-card border border-border bg-surface p-4">
      <h3 className="mb-4 text-h3 font-semibold">{name}</h3>
      <div className={`grid gap-6 ${wide ? '' : 'sm:grid-cols-2 lg:grid-cols-3'}`}>
        {specimens.map(({ state, shown }) => (
          <div key={state} className="flex min-w-0 flex-col gap-2">
            <p className="text-caption text-muted">{state}</p>
            {shown}
          </div>
        ))}
      </div>
    </section>
  )
}
