import {
  filledValues,
  priceText,
  renderTemplate,
  type TemplateValues,
  templateProblems,
  templateText,
  variableProblems,
} from '@balcao/contract/channels/template-text.ts'
import type { MessageTemplate, TemplateShape } from '@balcao/contract/channels/templates.ts'
import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { Media } from '@balcao/contract/core/media.ts'
import { Alert, Button } from '@mantine/core'
import { IconFile, IconPhoto, IconSend2, IconVideo } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useContactContext } from '../../contacts/variables/contact-context.ts'
import { sendMessage } from '../messages/outbox.ts'
import { TemplateView } from '../messages/template-view.tsx'
import { categoryLabel } from './category.ts'
import { HeaderFile } from './header-file.tsx'
import classes from './template-dialog.module.css'
import { VariableInput } from './variable-input.tsx'

type Props = {
  template: MessageTemplate
  ticket: Ticket
  contact: Contact | undefined
  lastSeq: number
  onDone: () => void
}

/** Fields for each place of a template, beside what the customer will read. */
export const TemplateForm = (props: Props) => {
  const { template } = props
  if (template.shape) return <FillIn {...props} shape={template.shape} />
  return (
    <section className={classes.form} aria-label="Modelo">
      <Alert color="amber" title={template.name.replaceAll('_', ' ')}>
        {template.obstacle}
      </Alert>
    </section>
  )
}

const FillIn = ({ template, ticket, contact, lastSeq, onDone, shape }: Props & { shape: TemplateShape }) => {
  const context = useContactContext(ticket, contact)
  const [typed, setTyped] = useState<TemplateValues>(() => emptyValues(shape))
  const [media, setMedia] = useState<Media | null>(null)
  const [isTried, setTried] = useState(false)
  const values = filledValues(typed, context)
  const told = [...problemsOf(shape, values, media?.kind ?? null), ...variableProblems(typed, context)]
  const problems = new Map(told.map(({ path, message }) => [path, message]))
  const errorAt = (path: string) => (isTried ? problems.get(path) : undefined)
  const places = shape.body.places.length + (shape.header?.places.length ?? 0)

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (problems.size) return
    const { name, language } = template
    sendMessage({
      ticketId: ticket.id,
      contactId: ticket.contactId,
      media,
      payload: { template: { name, language, ...values, shape } },
      send: {
        type: 'template',
        body: templateText(shape, values),
        mediaId: media?.id ?? null,
        quotedId: null,
        location: null,
        contact: null,
        // The server fills in the variables: what the contact's own name contains is never taken for one.
        template: { name, language, ...typed },
        interactive: null,
        mentions: [],
        sign: false,
        seenSeq: lastSeq,
      },
    })
    onDone()
  }

  return (
    <form className={classes.form} onSubmit={handleSubmit} aria-label="Preencher o modelo" noValidate>
      <div className={classes.scroll}>
        <div className={classes.preview}>
          <div className={classes.bubble}>
            {shape.header && shape.header.kind !== 'text' && <HeaderPreview kind={shape.header.kind} media={media} />}
            <TemplateView shape={shape} use={values} isDraft />
          </div>
        </div>
        <div className={classes.fields}>
          {shape.header && shape.header.kind !== 'text' && (
            <HeaderFile kind={shape.header.kind} media={media} onChange={setMedia} error={errorAt('mediaId')} />
          )}
          {shape.header?.places.map((place, at) => (
            <VariableInput
              key={place}
              label={labelOf(place, 'Cabeçalho')}
              maxLength={200}
              value={typed.header[at] ?? ''}
              error={errorAt(`template.header.${at}`)}
              onChange={(text) => setTyped((now) => ({ ...now, header: now.header.with(at, text) }))}
            />
          ))}
          {shape.body.places.map((place, at) => (
            <VariableInput
              key={place}
              label={labelOf(place, 'Variável')}
              maxLength={1_024}
              value={typed.body[at] ?? ''}
              error={errorAt(`template.body.${at}`)}
              onChange={(text) => setTyped((now) => ({ ...now, body: now.body.with(at, text) }))}
            />
          ))}
          {shape.buttons.map(
            (button, at) =>
              button.takesValue && (
                <VariableInput
                  // biome-ignore lint/suspicious/noArrayIndexKey: a button is known by its place
                  key={at}
                  label={button.kind === 'code' ? 'Código do botão' : `Final do link “${button.text}”`}
                  description={button.kind === 'url' ? renderTemplate(shape, values).buttons[at]?.value : undefined}
                  maxLength={2_000}
                  value={typed.buttons[at] ?? ''}
                  error={errorAt(`template.buttons.${at}`)}
                  onChange={(text) => setTyped((now) => ({ ...now, buttons: { ...now.buttons, [at]: text } }))}
                />
              ),
          )}
          {(errorAt('template.body') ?? errorAt('template.header')) && (
            <Alert color="red" role="alert">
              {errorAt('template.body') ?? errorAt('template.header')}
            </Alert>
          )}
          {places === 0 && !shape.header && <p className={classes.hint}>Este modelo não tem nada a preencher.</p>}
        </div>
      </div>
      <footer className={classes.foot}>
        <span className={classes.price}>
          {template.price === null ? (
            'Preço não informado'
          ) : (
            <span>
              <strong className="tabular">{priceText(template.price)}</strong> por mensagem entregue
            </span>
          )}
          <span className={classes.hint}>Categoria {categoryLabel(template.category)}</span>
        </span>
        <Button type="submit" rightSection={<IconSend2 size={17} stroke={1.75} aria-hidden />}>
          Enviar modelo
        </Button>
      </footer>
    </form>
  )
}

const emptyValues = (shape: TemplateShape): TemplateValues => ({
  header: (shape.header?.places ?? []).map(() => ''),
  body: shape.body.places.map(() => ''),
  buttons: Object.fromEntries(shape.buttons.flatMap((button, at) => (button.takesValue ? [[at, '']] : []))),
})

/** The server's rules, and one field's of their own: a place left empty. */
const problemsOf = (shape: TemplateShape, values: TemplateValues, fileKind: string | null) => {
  const empty = (['header', 'body'] as const).flatMap((name) =>
    values[name].flatMap((text, at) =>
      text ? [] : [{ path: `template.${name}.${at}`, message: 'Preencha este campo.' }],
    ),
  )
  return [...templateProblems(shape, values, fileKind), ...empty]
}

const labelOf = (place: string, what: string) =>
  /^\d+$/.test(place) ? `${what} ${place}` : capitalised(place.replaceAll('_', ' '))
const capitalised = (text: string) => text.charAt(0).toLocaleUpperCase('pt-BR') + text.slice(1)

const pictures = { image: IconPhoto, video: IconVideo, document: IconFile }
const HeaderPreview = ({ kind, media }: { kind: keyof typeof pictures; media: Media | null }) => {
  const Icon = pictures[kind]
  const picture = media?.thumbUrl ?? (kind === 'image' ? media?.url : null)
  if (picture) return <img src={picture} alt="" className={classes.picture} />
  return (
    <span className={classes.blank}>
      <Icon size={26} stroke={1.5} aria-hidden />
      {media && <span className="truncate">{media.name}</span>}
    </span>
  )
}
