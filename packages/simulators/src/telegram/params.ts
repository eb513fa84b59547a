import { z } from 'zod'
import { TelegramError } from './errors.ts'

export type Params = Record<string, unknown>

export const flag = z.union([z.boolean(), z.stringbool()]).optional()
export const chatId = z.union([z.number(), z.string().min(1)])
export const messageId = z.coerce.number().int()
export const entityList = z
  .array(z.looseObject({ type: z.string(), offset: z.number(), length: z.number(), url: z.string().optional() }))
  .optional()
const keyboardButton = z.union([
  z.string().transform((text) => ({ text, request_contact: undefined })),
  z.looseObject({ text: z.string(), request_contact: z.boolean().optional() }),
])
const replyMarkup = z
  .looseObject({
    inline_keyboard: z
      .array(
        z.array(
          z.looseObject({
            text: z.string(),
            url: z.string().optional(),
            callback_data: z
              .string()
              .refine((data) => Buffer.byteLength(data) >= 1 && Buffer.byteLength(data) <= 64, {
                message: 'BUTTON_DATA_INVALID',
              })
              .optional(),
          }),
        ),
      )
      .optional(),
    keyboard: z.array(z.array(keyboardButton)).optional(),
  })
  .optional()

export const send = z.object({
  chat_id: chatId,
  message_thread_id: z.coerce.number().int().optional(),
  reply_parameters: z
    .looseObject({ message_id: messageId, allow_sending_without_reply: z.boolean().optional() })
    .optional(),
  reply_markup: replyMarkup,
})
export type Send = z.infer<typeof send>
export const captionShape = {
  caption: z.string().optional(),
  parse_mode: z.string().optional(),
  caption_entities: entityList,
}
export const sendCaption = send.extend(captionShape).catchall(z.unknown())
export const editParams = z.object({ chat_id: chatId, message_id: messageId, reply_markup: replyMarkup })
export type EditParams = z.infer<typeof editParams>
export const albumItem = z.object({
  type: z.enum(['photo', 'video', 'audio', 'document']),
  media: z.string(),
  ...captionShape,
})
export const reaction = z.object({ type: z.literal('emoji'), emoji: z.string() })
export const allowedReactions = [
  ...'👍👎❤🔥🥰👏😁🤔🤯😱🤬😢🎉🤩🤮💩🙏👌🕊🤡🥱🥴😍🐳🌚🌭💯🤣⚡🍌🏆💔🤨😐🍓🍾💋🖕😈😴😭🤓👻👀🎃🙈😇😨🤝✍🤗🫡🎅🎄☃💅🤪🗿🆒💘🙉🦄😘💊🙊😎👾😡',
  '❤️',
  '🤷‍♂',
  '🤷',
]
export const webhookParams = z.object({
  url: z.string().default(''),
  secret_token: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,256}$/)
    .optional(),
  allowed_updates: z.array(z.string()).optional(),
  max_connections: z.coerce.number().min(1).max(100).default(40),
  drop_pending_updates: flag,
})
export const pollParams = z.object({
  offset: z.coerce.number().default(0),
  limit: z.coerce.number().min(1).max(100).default(100),
  timeout: z.coerce.number().min(0).max(50).default(0),
  allowed_updates: z.array(z.string()).optional(),
})
export const chatActions = [
  'typing',
  'upload_photo',
  'record_video',
  'upload_video',
  'record_voice',
  'upload_voice',
  'upload_document',
  'choose_sticker',
  'find_location',
  'record_video_note',
  'upload_video_note',
] as const

export const parse = <S extends z.ZodType>(shape: S, params: Params): z.output<S> => {
  const parsed = shape.safeParse(params)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue?.path[0] === 'chat_id') throw new TelegramError(400, 'Bad Request: chat_id is empty')
  throw new TelegramError(400, `Bad Request: ${issue?.path.join('.')}: ${issue?.message}`)
}

/** Forms carry objects and lists as JSON text. */
export const unfold = (params: Params): Params =>
  Object.fromEntries(
    Object.entries(params).map(([key, value]) => {
      if (typeof value !== 'string' || key === 'text' || key === 'caption' || !/^[[{]/.test(value)) return [key, value]
      try {
        return [key, JSON.parse(value)]
      } catch {
        throw new TelegramError(400, `Bad Request: can't parse ${key} JSON object`)
      }
    }),
  )
