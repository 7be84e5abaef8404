import { KeyRound, Keyboard, LogOut, Monitor, Moon, ShieldCheck, Sun } from 'lucide-react'
import { useState } from 'react'

import { ChangePasswordDialog } from '../../features/auth/ChangePasswordDialog.tsx'
import { chooseTheme, useTheme } from '../../lib/theme.ts'
import { Menu } from '../../ui/Menu.tsx'

/** The operator's own corner: who is signed in, the password, the theme, the way out. */
export function ProfileMenu({ email, onShortcuts }: { email: string; onShortcuts: () => void }) {
  const theme = useTheme()
  const [isChanging, setChanging] = useState(false)
  const items = [
    { label: 'Change Password', icon: <KeyRound />, onSelect: () => setChanging(true) },
    { label: 'Security', icon: <ShieldCheck />, href: '/settings/security' },
    { label: 'Keyboard shortcuts', icon: <Keyboard />, onSelect: onShortcuts },
    {
      label: 'System theme',
      icon: <Monitor />,
      checked: theme === 'system',
      onSelect: () => chooseTheme('system'),
      divided: true,
    },
    { label: 'Light theme', icon: <Sun />, checked: theme === 'light', onSelect: () => chooseTheme('light') },
    { label: 'Dark theme', icon: <Moon />, checked: theme === 'dark', onSelect: () => chooseTheme('dark') },
    { label: 'Logout', icon: <LogOut />, href: '/logout', divided: true },
  ]
  return (
    <>
      <button
        type="button"
        aria-label={`Profile: ${email}`}
        popoverTarget="profile"
        className="inline-flex size-8 items-center justify-center rounded-full border border-border bg-sunken text-dense font-semibold text-strong-muted uppercase hover:bg-hover hover:text-ink coarse:size-11"
      >
        {email.slice(0, 1) || '·'}
      </button>
      <Menu
        id="profile"
        label="Profile"
        items={items}
        atEnd
        head={
          <p className="mb-1.5 truncate border-b border-border px-2.5 pt-1.5 pb-2.5 text-dense text-muted">{email}</p>
        }
      />
      {isChanging && <ChangePasswordDialog email={email} onClose={() => setChanging(false)} />}
    </>
  )
}
