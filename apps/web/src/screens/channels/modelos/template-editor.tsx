import {
  draftProblems,
  draftShape,
  draftValues,
  type TemplateDraft,
  templateLanguages,
  templateLimits,
  templateNameOf,
} from '@balcao/contract/channels/template-draft.ts'
import { isNumbered, placesOf, templateCategoryLabels } from '@balcao/contract/channels/template-text.ts'
import { type MessageTemplate, templateCategories } from '@balcao/contract/channels/templates.ts'
import type { Media } from '@balcao/contract/core/media.ts'
import { Button, Group, NumberInput, Select, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { TemplateView } from '../../../features/conversations/messages/template-view.tsx'
import { HeaderFile } from '../../../features/conversations/templates/header-file.tsx'
import frames from '../../../features/conversations/templates/template-dialog.module.css'
import { messageOf, problemsOf } from '../../../kit/api-error.ts'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { notify } from '../../../ui/notify.ts'
import classes from './modelos.module.css'
import { TemplateButtons } from './template-buttons.tsx'
import { useWriteTemplate } from './templates-api.ts'

type Props = {
  /** Null while it is new. */
  row: MessageTemplate | null
  draft: TemplateDraft
  connections: { id: string; name: string }[]
  readOnly: boolean
  /** False: it has parts that are not written here; it can only be looked at or deleted. */
  hasParts: boolean
  footer?: ReactNode
  onClose: () => void
  children?: ReactNode
}
type Problems = ReadonlyMap<string, string>

const headerKinds = [
  { value: 'none', label: 'Sem cabeçalho' },
  { value: 'text', label: 'Texto' },
  { value: 'image', label: 'Imagem' },
  { value: 'video', label: 'Vídeo' },
  { value: 'document', label: 'Documento' },
]
const categoryHelp: Record<TemplateDraft['category'], string> = {
  MARKETING: 'Ofertas, novidades e convites. É a mais cara, e quem pediu para sair não recebe.',
  AUTHENTICATION: 'Um código para entrar ou confirmar. A Meta escreve o texto, no idioma escolhido.',
  UTILITY: 'Só o que o cliente já combinou: pedido, lembrete, boleto. Promoção aqui é recategorizada pela Meta.',
}

/** A template as it is written: fields, what the customer will read, and what Meta would refuse before it is asked. */
export const TemplateEditor = ({
  row,
  connections,
  readOnly,
  hasParts,
  footer,
  onClose,
  children,
  ...given
}: Props) => {
  const [draft, setDraft] = useState(given.draft)
  const [connectionId, setConnectionId] = useState(row?.connectionId ?? connections[0]?.id ?? '')
  const [example, setExample] = useState<Media | null>(null)
  const [isTried, setTried] = useState(false)
  const [refusal, setRefusal] = useState<unknown>(null)
  const write = useWriteTemplate()
  const found = draftProblems(draft)
  const refused = problemsOf(refusal)
  const problems: Problems = new Map(
    (isTried ? [...refused, ...found] : []).map(({ path, message }) => [path.replace(/^draft\./, ''), message]),
  )
  const change = (part: Partial<TemplateDraft>) => {
    setRefusal(null)
    setDraft((now) => ({ ...now, ...part }))
  }
  const summary = isTried ? [...new Set([...(refusal ? [messageOf(refusal)] : []), ...problems.values()])] : []

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    setRefusal(null)
    if (found.length) return
    write.mutate(
      { id: row?.id ?? null, connectionId, draft },
      {
        onSuccess: ({ name }) => {
          notify.success(`Modelo ${name} enviado à análise da Meta.`)
          onClose()
        },
        onError: setRefusal,
      },
    )
  }

  return (
    <FormDrawer
      opened
      title={row ? row.name : 'Novo modelo'}
      onClose={onClose}
      onSubmit={handleSubmit}
      dirty={!readOnly && !write.isSuccess && JSON.stringify(draft) !== JSON.stringify(given.draft)}
      busy={write.isPending}
      submitLabel="Enviar à análise"
      problems={summary}
      readOnly={readOnly}
      footer={footer}
    >
      {children}
      {hasParts && (
        <>
          <Preview draft={draft} example={example} />
          {!row && connections.length > 1 && (
            <Select
              label="Canal"
              description="Os números da mesma conta da Meta têm os mesmos modelos."
              data={connections.map(({ id, name }) => ({ value: id, label: name }))}
              value={connectionId}
              onChange={(id) => id && setConnectionId(id)}
              allowDeselect={false}
            />
          )}
          <TextInput
            label="Nome"
            description="Só a equipe vê. Letras minúsculas, números e sublinhado."
            required
            data-autofocus
            disabled={row !== null}
            maxLength={templateLimits.name}
            value={draft.name}
            error={problems.get('name')}
            onChange={(event) => change({ name: templateNameOf(event.currentTarget.value) })}
          />
          <Group grow align="flex-start">
            <Select
              label="Categoria"
              data={templateCategories.map((value) => ({ value, label: templateCategoryLabels[value] }))}
              value={draft.category}
              error={problems.get('category')}
              disabled={row?.status === 'APPROVED'}
              onChange={(value) => {
                const category = templateCategories.find((one) => one === value)
                if (category) change({ category })
              }}
              allowDeselect={false}
            />
            <Select
              label="Idioma"
              data={Object.entries(templateLanguages).map(([value, label]) => ({ value, label }))}
              value={draft.language}
              error={problems.get('language')}
              disabled={row !== null}
              searchable
              onChange={(language) => language && change({ language })}
              allowDeselect={false}
            />
          </Group>
          <Text size="sm" c="dimmed" mt={-6}>
            {categoryHelp[draft.category]}
          </Text>
          {draft.category === 'AUTHENTICATION' ? (
            <Access draft={draft} problems={problems} onChange={change} />
          ) : (
            <>
              <Header draft={draft} problems={problems} example={example} onExample={setExample} onChange={change} />
              <Body draft={draft} problems={problems} onChange={change} />
              <TextInput
                label="Rodapé"
                description="Opcional, sem variáveis."
                maxLength={templateLimits.footer}
                value={draft.footer}
                error={problems.get('footer')}
                onChange={(event) => change({ footer: event.currentTarget.value })}
              />
              <TemplateButtons
                buttons={draft.buttons}
                problems={problems}
                onChange={(buttons) => change({ buttons })}
              />
            </>
          )}
        </>
      )}
    </FormDrawer>
  )
}

const Preview = ({ draft, example }: { draft: TemplateDraft; example: Media | null }) => {
  const isAccess = draft.category === 'AUTHENTICATION'
  const picture = !isAccess && draft.header.kind === 'image' ? (example?.thumbUrl ?? example?.url) : null
  const isMedia = !isAccess && draft.header.kind !== 'none' && draft.header.kind !== 'text'
  return (
    <section className={classes.preview} aria-label="Como o cliente vai ver">
      <div className={frames.bubble}>
        {picture ? (
          <img src={picture} alt="" className={frames.picture} />
        ) : (
          isMedia && (
            <span className={frames.blank}>
              {example?.name ?? headerKinds.find(({ value }) => value === draft.header.kind)?.label}
            </span>
          )
        )}
        {isAccess || draft.body.text || draft.header.text ? (
          <TemplateView shape={draftShape(draft)} use={draftValues(draft)} isDraft />
        ) : (
          <Text c="dimmed" size="sm">
            O que você escrever aparece aqui.
          </Text>
        )}
      </div>
    </section>
  )
}

type PartProps = { draft: TemplateDraft; problems: Problems; onChange: (part: Partial<TemplateDraft>) => void }
type HeaderProps = PartProps & { example: Media | null; onExample: (media: Media | null) => void }
const Header = ({ draft, problems, example, onExample, onChange }: HeaderProps) => {
  const { header } = draft
  const [place] = placesOf(header.text)
  const set = (part: Partial<TemplateDraft['header']>) => onChange({ header: { ...header, ...part } })
  return (
    <>
      <Select
        label="Cabeçalho"
        data={headerKinds}
        value={header.kind}
        onChange={(kind) => {
          onExample(null)
          set({ kind: (kind ?? 'none') as TemplateDraft['header']['kind'], mediaId: null }) // one of the options
        }}
        allowDeselect={false}
      />
      {header.kind === 'text' && (
        <TextInput
          label="Texto do cabeçalho"
          maxLength={templateLimits.header}
          value={header.text}
          error={problems.get('header.text')}
          onChange={(event) => set({ text: event.currentTarget.value })}
        />
      )}
      {header.kind === 'text' && place && (
        <TextInput
          label={`Exemplo de {{${place}}} no cabeçalho`}
          maxLength={60}
          value={header.example}
          error={problems.get('header.example')}
          onChange={(event) => set({ example: event.currentTarget.value })}
        />
      )}
      {header.kind !== 'text' && header.kind !== 'none' && (
        <HeaderFile
          key={header.kind}
          kind={header.kind}
          media={example}
          error={problems.get('header.mediaId')}
          onChange={(media) => {
            onExample(media)
            set({ mediaId: media?.id ?? null })
          }}
        />
      )}
    </>
  )
}

/** All that is chosen of an access code. */
const Access = ({ draft: { access }, problems, onChange }: PartProps) => {
  const set = (part: Partial<TemplateDraft['access']>) => onChange({ access: { ...access, ...part } })
  return (
    <>
      <Switch
        label="Recomendar que o cliente não compartilhe o código"
        checked={access.warns}
        onChange={(event) => set({ warns: event.currentTarget.checked })}
      />
      <NumberInput
        label="Validade do código, em minutos"
        description="De 1 a 90. Vazio: a mensagem não diz. Quem confere se venceu é o seu sistema."
        min={1}
        max={90}
        allowDecimal={false}
        clampBehavior="strict"
        value={access.minutes ?? ''}
        error={problems.get('access.minutes')}
        onChange={(minutes) => set({ minutes: minutes === '' ? null : Number(minutes) })}
      />
      <TextInput
        label="Botão que copia o código"
        maxLength={templateLimits.button}
        value={access.button}
        error={problems.get('access.button')}
        onChange={(event) => set({ button: event.currentTarget.value })}
      />
    </>
  )
}

const Body = ({ draft, problems, onChange }: PartProps) => {
  const { text, examples } = draft.body
  const places = placesOf(text)
  const next = isNumbered(places) ? String(places.length + 1) : `campo_${'abcdefghij'[places.length] ?? 'x'}`
  const addPlace = () => onChange({ body: { text: `${text}${/\s$|^$/.test(text) ? '' : ' '}{{${next}}} `, examples } })
  return (
    <>
      <Textarea
        label="Mensagem"
        description={`${text.length} de ${templateLimits.body.toLocaleString('pt-BR')}. *negrito*, _itálico_, {{1}} ou {{nome}} para o que muda.`}
        required
        autosize
        minRows={4}
        maxRows={14}
        maxLength={4_000}
        value={text}
        error={problems.get('body.text')}
        onChange={(event) => onChange({ body: { text: event.currentTarget.value, examples } })}
      />
      <Button
        variant="default"
        size="compact-sm"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconBraces size={15} aria-hidden />}
        onClick={addPlace}
      >
        Inserir variável
      </Button>
      {places.map((place, at) => (
        <TextInput
          key={place}
          label={`Exemplo de {{${place}}}`}
          maxLength={200}
          value={examples[at] ?? ''}
          error={problems.get(`body.examples.${at}`)}
          onChange={(event) => {
            const filled = places.map((_, n) => (n === at ? event.currentTarget.value : (examples[n] ?? '')))
            onChange({ body: { text, examples: filled } })
          }}
        />
      ))}
    </>
  )
}
