import { t } from '@lingui/core/macro'
import { CircleUser, Info, KeyRound, Keyboard, ListChecks, LogOut, Monitor, Moon, ShieldCheck, Sun } from 'lucide-react'
import { Suspense, useState } from 'react'

import { paths } from '../../../lib/paths.ts'
import { ALL_PROJECTS, lastProject, useCurrentProject } from '../../../lib/navigation/current-project.ts'
import { useGo } from '../../../lib/navigation/navigate.ts'
import { bringGuideBack } from '../../../lib/display/setup-guide.ts'
import { SPEC_TEXTS } from '../../../lib/text/spec-texts.ts'
import { chooseTheme, useTheme } from '../../../lib/display/theme.ts'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { Menu } from '../../../ui/actions/Menu.tsx'

const ChangePasswordDialog = lazyLayer(async () => ({
  default: (await import('../../../features/auth/ChangePasswordDialog.tsx')).ChangePasswordDialog,
}))
const AboutDialog = lazyLayer(async () => ({ default: (await import('./AboutDialog.tsx')).AboutDialog }))

/** The operator's own corner: who is signed in, the password, how Kassa looks, the way out. */
export function ProfileMenu({ email, onShortcuts }: { email: string; onShortcuts: () => void }) {
  const theme = useTheme()
  const openGuide = useOpenGuide()
  const [open, setOpen] = useState<'password' | 'about'>()
  const close = () => setOpen(undefined)
  const items = [
    { label: t(SPEC_TEXTS.changePassword), icon: <KeyRound />, onSelect: () => setOpen('password') },
    { label: t`Profile`, icon: <CircleUser />, href: paths.profile() },
    { label: t`Security`, icon: <ShieldCheck />, href: paths.security() },
    ...(openGuide === undefined ? [] : [{ label: t`Setup guide`, icon: <ListChecks />, onSelect: openGuide }]),
    {
      label: t`System theme`,
      icon: <Monitor />,
      checked: theme === 'system',
      onSelect: () => chooseTheme('system'),
      divided: true,
    },
    { label: t`Light theme`, icon: <Sun />, checked: theme === 'light', onSelect: () => chooseTheme('light') },
    { label: t`Dark theme`, icon: <Moon />, checked: theme === 'dark', onSelect: () => chooseTheme('dark') },
    { label: t`Keyboard shortcuts`, icon: <Keyboard />, onSelect: onShortcuts, divided: true },
    { label: t`About Kassa`, icon: <Info />, onSelect: () => setOpen('about') },
    { label: t(SPEC_TEXTS.logout), icon: <LogOut />, href: paths.signOut(), divided: true },
  ]
  return (
    <>
      <button
        type="button"
        aria-label={t`Profile: ${email}`}
        popoverTarget="profile"
        className="inline-flex size-[min(2rem,44px)] shrink-0 items-center justify-center rounded-full border border-border bg-sunken text-dense font-semibold text-strong-muted uppercase hover:bg-hover hover:text-ink coarse:size-[44px]"
      >
        {email.slice(0, 1) || '·'}
      </button>
      <Menu
        id="profile"
        label={t`Profile`}
        items={items}
        atEnd
        head={
          <p className="mb-1.5 truncate border-b border-border px-2.5 pt-1.5 pb-2.5 text-dense text-muted">{email}</p>
        }
      />
      <Suspense>
        {open === 'password' && <ChangePasswordDialog email={email} onClose={close} />}
        {open === 'about' && <AboutDialog onClose={close} />}
      </Suspense>
    </>
  )
}

/** The way to the guide of the current project, or of the one looked at last; none before there is a project. */
function useOpenGuide(): (() => void) | undefined {
  const { id } = useCurrentProject()
  const go = useGo()
  const project = id === ALL_PROJECTS ? lastProject() : id
  if (project === undefined) return undefined
  return () => {
    bringGuideBack(project)
    go(paths.dashboard({ projectId: project }))
  }
}
