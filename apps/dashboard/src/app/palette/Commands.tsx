import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useMemo, useState } from 'react'

import { useCan } from '../../api/me.ts'
import { usePrefetch } from '../../lib/loading/prefetch.ts'
import { paths } from '../../lib/paths.ts'
import { useGo } from '../../lib/navigation/navigate.ts'
import { type Shortcuts, useShortcuts } from '../../lib/device/shortcuts.ts'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { lazyLayer } from '../../ui/overlays/lazy-load.ts'
import { onSearchAsked } from '../navigation/search-request.ts'
import { PaletteField } from './PaletteField.tsx'

const loadShortcuts = async () => ({ default: (await import('./ShortcutsDialog.tsx')).ShortcutsDialog })
const ShortcutsDialog = lazyLayer(loadShortcuts)
const loadPalette = async () => ({ default: (await import('./Palette.tsx')).Palette })
const Palette = lazyLayer(loadPalette)

/** The overlay over the page. */
export type Layer = 'palette' | 'shortcuts' | undefined

/** Where the second key after `g` leads. */
const PLACES: Readonly<Record<string, (projectId: string) => string>> = {
  d: (projectId) => paths.dashboard({ projectId }),
  p: (projectId) => paths.payments({ projectId }),
  f: () => paths.sweeps({ tabId: 'Funds' }),
  w: () => paths.payouts(),
  c: (projectId) => paths.campaigns({ projectId }),
  s: () => paths.settings(),
}

/** Listens for the keys that act anywhere, and keeps which layer they opened. */
export function useCommandKeys(projectId: string): [Layer, (layer: Layer) => void] {
  const [layer, setLayer] = useState<Layer>()
  const go = useGo()
  const queryClient = useQueryClient()
  const mayCreate = useCan()('payment:create', projectId)
  const shortcuts = useMemo((): Shortcuts => {
    const places = Object.entries(PLACES).map(([key, hrefOf]) => [`g ${key}`, () => go(hrefOf(projectId))])
    return {
      ...(Object.fromEntries(places) as Shortcuts),
      ...(mayCreate && { c: () => go(paths.createPayment({ projectId })) }),
      r: () => void queryClient.invalidateQueries({ refetchType: 'active' }),
      '?': () => setLayer('shortcuts'),
      'mod+k': () => setLayer('palette'),
    }
  }, [go, mayCreate, projectId, queryClient])
  useShortcuts(shortcuts, 'drawers')
  useEffect(() => onSearchAsked(() => setLayer('palette')), [])
  return [layer, setLayer]
}

/** The layer that is open, if any; they are loaded ahead, or on first use. */
export function Commands({ layer, onLayer }: { layer: Layer; onLayer: (layer: Layer) => void }) {
  usePrefetch(loadPalette)
  usePrefetch(loadShortcuts)
  const close = () => onLayer(undefined)
  return (
    <>
      <Suspense>{layer === 'shortcuts' && <ShortcutsDialog onClose={close} />}</Suspense>
      {layer === 'palette' && <LoadedPalette onClose={close} onShortcuts={() => onLayer('shortcuts')} />}
    </>
  )
}

/** Takes what is typed from the first key on: letters must neither be lost nor act on the page while the rest loads. */
function LoadedPalette({ onClose, onShortcuts }: { onClose: () => void; onShortcuts: () => void }) {
  const [typed, setTyped] = useState('')
  const opening = (
    <Dialog title={t`Command palette`} bare fills onClose={onClose}>
      <PaletteField text={typed} onText={setTyped} isBusy onClose={onClose} />
    </Dialog>
  )
  return (
    <Suspense fallback={opening}>
      <Palette typed={typed} onClose={onClose} onShortcuts={onShortcuts} />
    </Suspense>
  )
}
