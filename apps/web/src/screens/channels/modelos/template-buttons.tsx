import { type TemplateDraft, templateLimits } from '@balcao/contract/channels/template-draft.ts'
import { placesOf } from '@balcao/contract/channels/template-text.ts'
import { ActionIcon, Button, Group, Input, Menu, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import classes from './modelos.module.css'

type Buttons = TemplateDraft['buttons']
type One = Buttons[number]
type Props = { buttons: Buttons; problems: ReadonlyMap<string, string>; onChange: (buttons: Buttons) => void }

const labels: Record<One['kind'], string> = {
  reply: 'Resposta rápida',
  url: 'Abrir um link',
  phone: 'Ligar',
  code: 'Copiar um código',
}

/** The buttons under a template, in the order the customer sees them. */
export const TemplateButtons = ({ buttons, problems, onChange }: Props) => {
  const set = (at: number, part: Partial<One>) =>
    onChange(buttons.map((one, n) => (n === at ? { ...one, ...part } : one)))
  return (
    <Input.Wrapper label="Botões" description="Opcional, até dez." error={problems.get('buttons')}>
      <Group gap="sm" mt={6} style={{ flexDirection: 'column', alignItems: 'stretch' }}>
        {buttons.map((button, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a button is known by its place
          <fieldset key={at} className={classes.button} aria-label={`Botão ${at + 1}`}>
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm" fw={500}>
                {labels[button.kind]}
              </Text>
              <ActionIcon
                aria-label={`Remover botão ${at + 1}`}
                onClick={() => onChange(buttons.filter((_, n) => n !== at))}
              >
                <IconX size={16} />
              </ActionIcon>
            </Group>
            {button.kind !== 'code' && (
              <TextInput
                label="Texto"
                maxLength={templateLimits.button}
                value={button.text}
                error={problems.get(`buttons.${at}.text`)}
                onChange={(event) => set(at, { text: event.currentTarget.value })}
              />
            )}
            {(button.kind === 'url' || button.kind === 'phone') && (
              <TextInput
                label={button.kind === 'url' ? 'Link' : 'Telefone'}
                description={button.kind === 'url' ? 'Com {{1}} no fim, cada mensagem leva o seu.' : 'Com DDI e DDD.'}
                placeholder={button.kind === 'url' ? 'https://loja.com/pedido/{{1}}' : '+551130000000'}
                maxLength={templateLimits.url}
                value={button.value}
                error={problems.get(`buttons.${at}.value`)}
                onChange={(event) => set(at, { value: event.currentTarget.value })}
              />
            )}
            {(button.kind === 'code' || (button.kind === 'url' && placesOf(button.value).length > 0)) && (
              <TextInput
                label={button.kind === 'code' ? 'Exemplo de código' : 'Exemplo do fim do link'}
                maxLength={button.kind === 'code' ? templateLimits.code : templateLimits.url}
                value={button.example}
                error={problems.get(`buttons.${at}.example`)}
                onChange={(event) => set(at, { example: event.currentTarget.value })}
              />
            )}
          </fieldset>
        ))}
        {buttons.length < templateLimits.buttons && (
          <Menu position="bottom-start">
            <Menu.Target>
              <Button
                variant="default"
                size="compact-sm"
                style={{ alignSelf: 'flex-start' }}
                leftSection={<IconPlus size={15} aria-hidden />}
              >
                Adicionar botão
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {(Object.keys(labels) as One['kind'][]).map((kind) => (
                <Menu.Item
                  key={kind}
                  onClick={() => onChange([...buttons, { kind, text: '', value: '', example: '' }])}
                >
                  {labels[kind]}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
    </Input.Wrapper>
  )
}
