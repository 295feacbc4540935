-- Paths of callback URLs by how they begin, for the staff search of deliveries. What stands after ? is in no index: it may hold a secret.
CREATE INDEX "channels_of_path" ON "channels"
    ((coalesce(substring("callback_url" from '^[^:]*://[^/?#]*(/[^?#]*)'), '')) text_pattern_ops);
