import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'

import { useGo } from '../../../lib/navigation/navigate.ts'
import { randomId } from '../../../lib/random-id.ts'
import { stringifySearch, useSearchState } from '../../../lib/navigation/search.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Menu } from '../../../ui/actions/Menu.tsx'
import type { MenuItem } from '../../../ui/actions/Menu.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { BUILT_IN, hasDates, isChanged, ownView, searchOf, viewName } from './payment-views.ts'
import type { OwnView, View } from './payment-views.ts'
import { SaveViewDialog } from './SaveViewDialog.tsx'
import type { SavedViews } from './useOwnViews.ts'

/** Saves what was changed as a view, and looks after the operator's own ones. */
export function ViewActions({ view, own, path }: { view: View; own: SavedViews; path: string }) {
  const menuId = useId()
  const [search] = useSearchState()
  const go = useGo()
  const [asked, setAsked] = useState<'new' | 'rename'>()
  const layout = own.layoutOf(view)
  const mine = own.views.find(({ id }) => id === view.id)
  const changed = isChanged(view, search, layout)
  const open = (next: View) => go(path + stringifySearch(searchOf(next, search)))
  const saveNew = (name: string, withDates: boolean) => {
    const made = ownView({ id: randomId(), name, layout }, search, withDates)
    own.save(made)
    open(made)
    toast.success(t`View “${name}” is saved on this device.`)
  }
  const saveChanges = (current: OwnView) => {
    const saved = ownView({ ...current, layout }, search, hasDates(current.search))
    own.save(saved)
    open(saved)
  }
  const remove = (current: OwnView) => {
    const { id, name } = current
    own.remove(id)
    go(path + stringifySearch({ ...search, view: undefined }))
    toast.success(t`View “${name}” is deleted.`)
  }
  const itemsOf = (current: OwnView): readonly MenuItem[] => [
    {
      label: t`Save changes`,
      ...(changed ? { onSelect: () => saveChanges(current) } : { offReason: t`Nothing was changed.` }),
    },
    { label: t`Save as a new view`, onSelect: () => setAsked('new') },
    { label: t`Rename`, onSelect: () => setAsked('rename') },
    { label: t`Delete view`, onSelect: () => remove(current), danger: true, divided: true },
  ]
  return (
    <>
      {mine === undefined && changed && (
        <Button size="small" onClick={() => setAsked('new')}>
          <Trans>Save view</Trans>
        </Button>
      )}
      {mine !== undefined && (
        <>
          <Button size="small" popoverTarget={menuId}>
            <Trans comment="one saved way to look at the list">View</Trans>
            <ChevronDown aria-hidden size={14} strokeWidth={1.75} />
          </Button>
          <Menu id={menuId} label={t`View`} items={itemsOf(mine)} atEnd />
        </>
      )}
      {asked !== undefined && (
        <SaveViewDialog
          title={asked === 'new' ? t`Save view` : t`Rename view`}
          name={asked === 'rename' ? viewName(view) : ''}
          taken={[...BUILT_IN, ...own.views].filter(({ id }) => asked === 'new' || id !== view.id).map(viewName)}
          asksForDates={asked === 'new' && hasDates(search)}
          onSave={asked === 'new' || mine === undefined ? saveNew : (name) => own.rename(mine.id, name)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}
