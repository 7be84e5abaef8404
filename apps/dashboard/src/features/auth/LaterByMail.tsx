import { LinkButton } from '../../ui/LinkButton.tsx'
import { PublicForm } from './PublicForm.tsx'

/** A password page that needs mail, which this server does not send yet: says so and leads back. */
export function LaterByMail({ title, text, notice }: { title: string; text: string; notice?: string | undefined }) {
  return (
    <PublicForm title={title} text={notice ?? text}>
      {notice !== undefined && <p className="mb-5 text-body text-muted">{text}</p>}
      <LinkButton href="/login">Back to sign in</LinkButton>
    </PublicForm>
  )
}
