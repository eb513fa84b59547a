import type { Interactive } from '@balcao/contract/conversations/messages.ts'
import { IconArrowBackUp, IconList } from '@tabler/icons-react'
import { UserText } from '../../../ui/user-text.tsx'
import classes from './choices.module.css'

type Props = { interactive: Interactive; body: string }

/** A text with choices under it, as the team sees what the customer got. */
export const InteractiveView = ({ interactive, body }: Props) => {
  const { kind, header, footer, button, options } = interactive
  return (
    <>
      {header && <strong className={classes.header}>{header}</strong>}
      {body && <UserText text={body} />}
      {footer && <span className={classes.footer}>{footer}</span>}
      {kind === 'list' && (
        <span className={classes.opener}>
          <IconList size={15} stroke={1.75} aria-hidden /> {button || 'Ver opções'}
        </span>
      )}
      <ul className={classes.options} data-kind={kind} aria-label={kind === 'list' ? 'Opções da lista' : 'Botões'}>
        {options.map(({ id, title, description }) => (
          <li key={id}>
            {kind === 'buttons' && <IconArrowBackUp size={15} stroke={1.75} aria-hidden />}
            <span className={classes.option}>
              <span>{title}</span>
              {description && <span className={classes.description}>{description}</span>}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
