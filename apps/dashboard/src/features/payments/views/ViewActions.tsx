import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'

import { useGo } from '../../../lib/navigation/navigate.ts'
import { ALL_PROJECTS } from '../../../lib/navigation/current-project.ts'
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
import { useViewChanges } from './useViewChanges.ts'

export type ViewActionsProps = {
  readonly view: View
  readonly own: SavedViews
  readonly path: string
  readonly projectId: string
}

/** Saves what was changed as a view, shares it, and looks after the operator's own ones. */
export function ViewActions({ view, own, path, projectId }: ViewActionsProps) {
  const changes = useViewChanges(own, projectId)
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
  const openIf = (next: OwnView | undefined) => next !== undefined && open(next)
  const saveChanges = async (current: OwnView) =>
    openIf(await changes.save(ownView({ ...current, layout }, search, hasDates(current.search))))
  const remove = async (current: OwnView) => {
    if (await changes.remove(current)) go(path + stringifySearch({ ...search, view: undefined }))
  }
  const itemsOf = (current: OwnView): readonly MenuItem[] => {
    const { shared } = current
    const foreign = shared?.mayChange === false ? foreignText(shared.by) : undefined
    const unchanged = changed ? undefined : t`Nothing was changed.`
    const unless = (offReason: string | undefined, onSelect: () => void) =>
      offReason === undefined ? { onSelect } : { offReason }
    return [
      { label: t`Save changes`, ...unless(foreign ?? unchanged, () => void saveChanges(current)) },
      { label: t`Save as a new view`, onSelect: () => setAsked('new') },
      { label: t`Rename`, ...unless(foreign, () => setAsked('rename')) },
      ...(shared === undefined && projectId !== ALL_PROJECTS
        ? [{ label: t`Share in the project`, onSelect: async () => void openIf(await changes.share(current)) }]
        : []),
      {
        label: shared === undefined ? t`Delete view` : t`Delete for everybody`,
        ...unless(foreign, () => void remove(current)),
        danger: true,
        divided: true,
      },
    ]
  }
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
          isShared={asked === 'rename' && mine?.shared !== undefined}
          onSave={asked === 'new' || mine === undefined ? saveNew : (name) => void changes.rename(mine, name)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

function foreignText(by: string | undefined): string {
  return by === undefined
    ? t`Shared by a former member. Only people who may change the project can change it.`
    : t`Shared by ${by}. Only they and people who may change the project can change it.`
}
