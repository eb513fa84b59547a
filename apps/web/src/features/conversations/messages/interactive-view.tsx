import { isRequest, type RequestKind } from '@balcao/contract/conversations/interactive.ts'
import type { Interactive } from '@balcao/contract/conversations/messages.ts'
import {
  type Icon,
  IconArrowBackUp,
  IconBuildingStore,
  IconExternalLink,
  IconForms,
  IconHome,
  IconList,
  IconMapPin,
  IconShoppingBag,
} from '@tabler/icons-react'
import { UserText } from '../../../ui/user-text.tsx'
import classes from './choices.module.css'

type Props = { interactive: Interactive; body: string }

/** A text with choices, or with what it asks for, under it: as the team sees what the customer got. */
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
      {isRequest(interactive) ? (
        <RequestLines interactive={interactive} />
      ) : (
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
      )}
    </>
  )
}

const RequestLines = ({ interactive }: { interactive: Interactive & { kind: RequestKind } }) => {
  const { kind, button, url, form, catalog } = interactive
  const { icon: Icon, label } = requestLooks[kind]
  const products = kind === 'products' ? (catalog?.sections ?? []) : []
  return (
    <ul className={classes.options} data-kind="buttons" aria-label={label}>
      {products.flatMap((section) =>
        section.products.map(({ id, name }, at) => (
          <li key={id} data-left>
            <span className={classes.option}>
              {section.title && at === 0 && <span className={classes.description}>{section.title}</span>}
              <span>{name || id}</span>
            </span>
          </li>
        )),
      )}
      <li>
        <Icon size={15} stroke={1.75} aria-hidden />
        <span className={classes.option}>
          <span>{button || label}</span>
          {url && <span className={classes.description}>{url}</span>}
          {form?.name && <span className={classes.description}>{form.name}</span>}
        </span>
      </li>
    </ul>
  )
}

const requestLooks: Record<RequestKind, { label: string; icon: Icon }> = {
  place: { label: 'Enviar localização', icon: IconMapPin },
  link: { label: 'Abrir o link', icon: IconExternalLink },
  form: { label: 'Abrir o formulário', icon: IconForms },
  catalog: { label: 'Ver catálogo', icon: IconBuildingStore },
  products: { label: 'Ver produtos', icon: IconShoppingBag },
  address: { label: 'Informar endereço', icon: IconHome },
}
