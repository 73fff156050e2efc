export {
  type DeadLettersQuery,
  type LagQuery,
  OutboxOperations,
  type OperationOptions,
  type PurgeDeadLetters,
  type OperationsQuery,
} from './client/outbox-operations.js';
export { Outbox, type PublishOptions } from './client/outbox.js';
export { outboxRolesSql, type OutboxRoles, type OutboxRolesOptions } from './events/outbox-roles.sql.js';
export { outboxSchemaSql, type OutboxScriptOptions } from './events/outbox-script.sql.js';
export { type ChannelSnapshot } from './live/channel-reader.js';
export type { ChannelMessage, PacedResponse, ResetNote } from './live/channel-stream.js';
export { type ChannelOptions } from './live/outbox-feed.js';
export type { DeliveryContext, OnPoison } from './model/destination.js';
export type { EventCodec } from './model/event-codec.js';
export { type NewOutboxEvent, type OutboxEvent, type OutboxOrdering } from './model/outbox-event.js';
export { type AblyClient, ablyPublisher } from './publishers/ably-publisher.js';
export {
  type ClientProxyOptions,
  clientProxyPublisher,
  type EventEmittingClient,
} from './publishers/client-proxy-publisher.js';
export { type EventPublisher } from './publishers/event-publisher.js';
export {
  type SignedRequest,
  type WebhookOptions,
  verifyWebhook,
  webhookPublisher,
} from './publishers/webhook-publisher.js';
export { type ChannelLag, type DeadEvent, type StandingChannel } from './relay/dead-letters.js';
export { OutboxRelay } from './relay/outbox-relay.js';
export type { ShardsOfOwner } from './relay/relay-insight.js';
export { type KnownDestination } from './relay/shard-leases.js';
export { durableSkipTables } from './tables/sql-own-tables.js';
