create schema "customer_example";

create table "customer_example"."_state" (is_only boolean primary key default true check (is_only), epoch uuid not null, base bigint not null default 0,
       loads bigint not null default 0);

create table "customer_example"."_datasets" (kind text not null, name text not null, id integer not null unique, key_column text, tier text,
       version bigint not null default 0, row_count bigint not null default 0, synced_at timestamptz, changed_at timestamptz,
       kept_from bigint not null default 0, primary key (kind, name));

create table "customer_example"."_dataset_versions" (dataset_id integer not null references "customer_example"."_datasets" (id) on delete cascade, version bigint not null,
       made_at timestamptz not null, primary key (dataset_id, version));

create table "customer_example"."_changed_keys" (dataset_id integer not null, key text collate "C" not null, version bigint not null, is_deleted boolean not null,
       primary key (dataset_id, key));

create index _changed_keys_by_version on "customer_example"."_changed_keys" (dataset_id, version, key);

create table "customer_example"."_deliveries" (dataset_id integer primary key references "customer_example"."_datasets" (id) on delete cascade, version bigint not null,
       filenode oid not null, bytes bigint not null, digest text not null);

create table "customer_example"."contract_condition" (
  "condition_id" bigint not null,
  "property_id" integer not null,
  "account_id" integer not null,
  "floor_area_id" text not null,
  "debit_type_key" text not null,
  "debit_number" text,
  "description" text,
  "valid_from" date not null,
  "valid_to" date,
  "net_amount" numeric(12,2) not null,
  "vat_rate" numeric(5,2) not null,
  "vat_amount" numeric(12,2) not null,
  "gross_amount" numeric(12,2) not null,
  "area_sqm" numeric(10,2),
  "payment_interval_key" text not null,
  "due_day" integer,
  "revenue_account_id" integer,
  "index_agreement_id" integer,
  "is_advance_payment" boolean not null,
  "currency" text not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("condition_id")
);

create table "customer_example"."contract_end" (
  "contract_end_id" integer not null,
  "property_id" integer not null,
  "account_id" integer not null,
  "floor_area_id" text,
  "terminated_by_key" text,
  "end_reason_key" text,
  "status_key" text not null,
  "notice_date" date,
  "notice_received_date" date,
  "notice_period_months" integer,
  "contract_end_date" date not null,
  "is_early_release" boolean,
  "move_out_date" date,
  "handover_date" date,
  "refurbishment_required" boolean,
  "refurbishment_order_id" integer,
  "follow_up_account_id" integer,
  "deposit_amount" numeric(12,2),
  "deposit_deductions" numeric(12,2),
  "deposit_settled_date" date,
  "final_settlement_date" date,
  "responsible_employee_id" integer,
  "comment" text,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("contract_end_id")
);

create table "customer_example"."debit_change" (
  "debit_change_id" bigint not null,
  "property_id" integer not null,
  "account_id" integer not null,
  "floor_area_id" text not null,
  "debit_type_key" text not null,
  "effective_date" date not null,
  "previous_condition_id" bigint,
  "new_condition_id" bigint,
  "previous_net" numeric(12,2) not null,
  "new_net" numeric(12,2) not null,
  "previous_gross" numeric(12,2) not null,
  "new_gross" numeric(12,2) not null,
  "change_type_key" text not null,
  "change_reason_key" text,
  "index_agreement_id" integer,
  "announcement_date" date,
  "approved_by_employee_id" integer,
  "currency" text not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("debit_change_id")
);

create table "customer_example"."index_agreement" (
  "index_agreement_id" integer not null,
  "property_id" integer not null,
  "account_id" integer not null,
  "floor_area_id" text not null,
  "index_name" text not null,
  "base_year" integer not null,
  "index_base_month" date not null,
  "base_index_value" numeric(8,2) not null,
  "base_rent_net" numeric(12,2) not null,
  "threshold_type_key" text not null,
  "threshold_value" numeric(8,2) not null,
  "adjustment_percent" numeric(5,2) not null,
  "adjustment_rule_key" text not null,
  "waiting_period_months" integer not null,
  "first_adjustment_date" date,
  "last_adjustment_date" date,
  "reference_index_month" date not null,
  "reference_index_value" numeric(8,2) not null,
  "current_index_month" date not null,
  "current_index_value" numeric(8,2) not null,
  "next_check_date" date,
  "current_rent_net" numeric(12,2) not null,
  "max_increase_percent" numeric(5,2),
  "allows_decrease" boolean not null,
  "valid_from" date not null,
  "valid_to" date,
  "status_key" text not null,
  "currency" text not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("index_agreement_id")
);

create table "customer_example"."index_value" (
  "index_value_id" integer not null,
  "index_name" text not null,
  "base_year" integer not null,
  "index_month" date not null,
  "index_value" numeric(8,2) not null,
  "published_date" date,
  "changed_at" timestamptz not null,
  primary key ("index_value_id"),
  unique ("index_name", "base_year", "index_month")
);

create table "customer_example"."service_contract_hdr" (
  "service_contract_hdr_id" integer not null,
  "contract_number" text not null,
  "property_id" integer not null,
  "creditor_id" integer not null,
  "contract_type_key" text not null,
  "trade_key" text,
  "description" text,
  "status_key" text not null,
  "start_date" date not null,
  "end_date" date,
  "notice_period_months" integer,
  "renewal_months" integer,
  "next_termination_date" date,
  "termination_date" date,
  "annual_net" numeric(12,2) not null,
  "vat_rate" numeric(5,2) not null,
  "annual_vat" numeric(12,2) not null,
  "annual_gross" numeric(12,2) not null,
  "payment_interval_key" text,
  "cost_account_id" integer,
  "cost_center_id" text,
  "allocable_percent" numeric(5,2),
  "response_time_hours" integer,
  "service_interval_months" integer,
  "last_service_date" date,
  "next_service_date" date,
  "responsible_employee_id" integer,
  "currency" text not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("service_contract_hdr_id")
);

create table "customer_example"."tenancy_hdr" (
  "tenancy_hdr_id" integer not null,
  "account_id" integer not null,
  "contract_number" text not null,
  "person_id" integer not null,
  "property_id" integer not null,
  "floor_area_id" text not null,
  "co_tenant_name" text,
  "tenant_type_key" text not null,
  "status_key" text not null,
  "contract_date" date,
  "contract_start_date" date not null,
  "contract_end_date" date,
  "move_in_date" date,
  "move_out_date" date,
  "fixed_term_end_date" date,
  "notice_period_months" integer,
  "deposit_type_key" text,
  "deposit_amount" numeric(12,2),
  "deposit_paid_amount" numeric(12,2),
  "payment_method_key" text,
  "mandate_reference" text,
  "iban" text,
  "dunning_level" integer,
  "dunning_blocked" boolean,
  "is_vat_liable" boolean,
  "balance" numeric(14,2) not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("tenancy_hdr_id"),
  unique ("account_id"),
  unique ("contract_number")
);

create table "customer_example"."account" (
  "account_id" integer not null,
  "account_number" text not null,
  "account_name" text not null,
  "account_type_key" text not null,
  "account_class" integer,
  "account_group" text,
  "account_group_name" text,
  "balance_type_key" text,
  "normal_side_key" text,
  "property_id" integer,
  "collective_account_id" integer,
  "operating_cost_type_key" text,
  "is_allocable" boolean,
  "vat_code_key" text,
  "is_collective_account" boolean not null,
  "is_posting_allowed" boolean not null,
  "currency" text not null,
  "valid_from" date,
  "valid_to" date,
  "is_active" boolean not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("account_id"),
  unique ("account_number")
);

create table "customer_example"."asset_depr" (
  "asset_depr_id" integer not null,
  "asset_hdr_id" integer not null,
  "property_id" integer not null,
  "fiscal_year" integer not null,
  "depreciation_area_key" text not null,
  "period_from" date not null,
  "period_to" date not null,
  "month_count" integer not null,
  "opening_book_value" numeric(14,2) not null,
  "depreciation_amount" numeric(14,2) not null,
  "unscheduled_amount" numeric(14,2) not null,
  "write_up_amount" numeric(14,2) not null,
  "closing_book_value" numeric(14,2) not null,
  "depreciation_method_key" text not null,
  "depreciation_rate_percent" numeric(7,4),
  "account_id" integer,
  "booking_hdr_id" bigint,
  "status_key" text not null,
  "posted_date" date,
  "currency" text not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("asset_depr_id")
);

create table "customer_example"."asset_hdr" (
  "asset_hdr_id" integer not null,
  "asset_number" text not null,
  "asset_name" text not null,
  "property_id" integer not null,
  "building_id" integer,
  "floor_area_id" text,
  "to_hdr_id" integer,
  "asset_class_key" text not null,
  "asset_account_id" integer,
  "depreciation_account_id" integer,
  "cost_center_id" text,
  "creditor_id" integer,
  "order_id" integer,
  "project_hdr_id" integer,
  "acquisition_date" date not null,
  "capitalisation_date" date,
  "acquisition_cost" numeric(14,2) not null,
  "subsidy_amount" numeric(14,2) not null,
  "residual_value" numeric(14,2) not null,
  "useful_life_years" numeric(5,2),
  "depreciation_method_key" text not null,
  "depreciation_rate_percent" numeric(7,4),
  "depreciation_start_date" date,
  "depreciation_end_date" date,
  "accumulated_depreciation" numeric(14,2) not null,
  "book_value_date" date,
  "disposal_date" date,
  "disposal_proceeds" numeric(14,2),
  "status_key" text not null,
  "currency" text not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("asset_hdr_id"),
  unique ("asset_number")
);

create table "customer_example"."booking_hdr" (
  "booking_hdr_id" bigint not null,
  "property_id" integer not null,
  "company_number" text,
  "document_number" text not null,
  "booking_type_key" text not null,
  "fiscal_year" integer not null,
  "fiscal_period" integer not null,
  "booking_date" date not null,
  "document_date" date not null,
  "due_date" date,
  "booking_text" text,
  "account_id" integer,
  "creditor_id" integer,
  "order_id" integer,
  "external_document_number" text,
  "total_amount" numeric(14,2) not null,
  "position_count" integer not null,
  "currency" text not null,
  "source_module_key" text,
  "is_reversal" boolean not null,
  "reversed_booking_hdr_id" bigint,
  "status_key" text not null,
  "posted_by_employee_id" integer,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("booking_hdr_id")
);

create table "customer_example"."booking_pos" (
  "booking_pos_id" bigint not null,
  "booking_hdr_id" bigint not null,
  "position_number" integer not null,
  "property_id" integer not null,
  "fiscal_year" integer not null,
  "fiscal_period" integer not null,
  "booking_date" date not null,
  "account_id" integer not null,
  "contra_account_id" integer,
  "floor_area_id" text,
  "cost_center_id" text,
  "debit_credit_key" text not null,
  "amount" numeric(14,2) not null,
  "vat_code_key" text,
  "vat_rate" numeric(5,2),
  "vat_base_amount" numeric(14,2),
  "booking_text" text,
  "order_id" integer,
  "project_hdr_id" integer,
  "condition_id" bigint,
  "service_period_from" date,
  "service_period_to" date,
  "is_allocable" boolean,
  "clearing_number" text,
  "cleared_date" date,
  "currency" text not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("booking_pos_id")
);

create table "customer_example"."budget_pos" (
  "budget_pos_id" bigint not null,
  "property_id" integer not null,
  "account_id" integer not null,
  "fiscal_year" integer not null,
  "fiscal_period" integer not null,
  "budget_version_key" text not null,
  "amount" numeric(14,2) not null,
  "annual_amount" numeric(14,2) not null,
  "cost_center_id" text,
  "project_hdr_id" integer,
  "is_allocable" boolean,
  "planning_basis_key" text,
  "comment" text,
  "status_key" text not null,
  "approved_by_employee_id" integer,
  "approved_date" date,
  "currency" text not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("budget_pos_id")
);

create table "customer_example"."cost_center" (
  "cost_center_hdr_id" integer not null,
  "cost_center_id" text not null,
  "cost_center_name" text not null,
  "property_id" integer,
  "is_active" boolean not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("cost_center_hdr_id"),
  unique ("cost_center_id")
);

create table "customer_example"."kontenmapping" (
  "kontenmapping_id" integer not null,
  "mapping_name" text not null,
  "account_from" text not null,
  "account_to" text not null,
  "target_code" text not null,
  "target_name" text not null,
  "target_group" text,
  "statement_type_key" text not null,
  "level_1" text,
  "level_2" text,
  "level_3" text,
  "sign" integer not null,
  "sort_order" integer not null,
  "is_allocable" boolean,
  "valid_from" date not null,
  "valid_to" date,
  "is_active" boolean not null,
  "comment" text,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("kontenmapping_id"),
  unique ("mapping_name", "account_from", "kontenmapping_id")
);

create table "customer_example"."offer_hdr" (
  "offer_hdr_id" integer not null,
  "property_id" integer not null,
  "creditor_id" integer not null,
  "floor_area_id" text,
  "net_value" numeric(14,2),
  "offer_type_key" text,
  "status_key" text,
  "is_accepted" boolean,
  "offer_no" text not null,
  "report_hdr_id" integer,
  "trade_key" text,
  "subject" text,
  "request_date" date,
  "offer_date" date,
  "valid_until" date,
  "decision_date" date,
  "vat_rate" numeric(5,2),
  "gross_value" numeric(14,2),
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("offer_hdr_id")
);

create table "customer_example"."order_hdr" (
  "order_hdr_id" integer not null,
  "property_id" integer not null,
  "offer_hdr_id" integer,
  "creditor_no" integer,
  "to_hdr_id" integer,
  "report_hdr_id" integer,
  "order_type_key" text,
  "total_net" numeric(14,2),
  "total_gross" numeric(14,2),
  "cost_center_id" text,
  "invoice_status_key" text,
  "order_no" text,
  "project_hdr_id" integer,
  "service_contract_hdr_id" integer,
  "floor_area_id" text,
  "cost_account_id" integer,
  "subject" text,
  "description" text,
  "status_key" text,
  "priority_key" text,
  "trade_key" text,
  "responsible_employee_id" integer,
  "approved_by_employee_id" integer,
  "order_date" date,
  "approval_date" date,
  "sent_date" date,
  "planned_start_date" date,
  "planned_end_date" date,
  "execution_start_date" date,
  "execution_end_date" date,
  "acceptance_date" date,
  "warranty_end_date" date,
  "closed_date" date,
  "vat_rate" numeric(5,2),
  "total_vat" numeric(14,2),
  "estimated_net" numeric(14,2),
  "supplement_net" numeric(14,2),
  "retention_percent" numeric(5,2),
  "retention_amount" numeric(14,2),
  "invoice_count" integer,
  "invoiced_net" numeric(14,2),
  "invoiced_vat" numeric(14,2),
  "invoiced_gross" numeric(14,2),
  "paid_amount" numeric(14,2),
  "remaining_net" numeric(14,2),
  "last_invoice_number" text,
  "last_invoice_date" date,
  "last_payment_date" date,
  "allocable_percent" numeric(5,2),
  "is_insurance_claim" boolean,
  "contact_name" text,
  "contact_phone" text,
  "contact_email" text,
  "hierarchy_1" text,
  "hierarchy_2" text,
  "hierarchy_3" text,
  "hierarchy_4" text,
  "hierarchy_5" text,
  "currency" text,
  "created_at" timestamptz,
  "changed_at" timestamptz,
  primary key ("order_hdr_id")
);

create table "customer_example"."order_invoice" (
  "order_invoice_id" integer not null,
  "order_hdr_id" integer not null,
  "invoice_no" text not null,
  "invoice_date" date not null,
  "received_date" date not null,
  "due_date" date,
  "invoice_type_key" text not null,
  "net_amount" numeric(14,2) not null,
  "vat_amount" numeric(14,2) not null,
  "gross_amount" numeric(14,2) not null,
  "retention_amount" numeric(14,2) not null,
  "paid_amount" numeric(14,2) not null,
  "payment_date" date,
  "booking_hdr_id" bigint,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("order_invoice_id"),
  unique ("order_hdr_id", "invoice_no")
);

create table "customer_example"."project_hdr" (
  "project_hdr_id" integer not null,
  "property_id" integer not null,
  "creditor_id" integer,
  "offer_hdr_id" integer,
  "to_hdr_id" integer,
  "project_no" text,
  "project_type_key" text,
  "status_key" text,
  "budget_gross" numeric(14,2),
  "percentage_completed" numeric(5,2),
  "project_begin_date" date,
  "project_end_date" date,
  "hierarchy_1" text,
  "hierarchy_2" text,
  "hierarchy_3" text,
  "hierarchy_4" text,
  "hierarchy_5" text,
  "hierarchy_6" text,
  "hierarchy_7" text,
  "hierarchy_8" text,
  "hierarchy_9" text,
  "hierarchy_10" text,
  "hierarchy_11" text,
  "hierarchy_12" text,
  "hierarchy_13" text,
  "hierarchy_14" text,
  "hierarchy_15" text,
  "hierarchy_16" text,
  "hierarchy_17" text,
  "hierarchy_18" text,
  "hierarchy_19" text,
  "hierarchy_20" text,
  "parent_project_hdr_id" integer,
  "project_name" text,
  "description" text,
  "floor_area_id" text,
  "cost_center_id" text,
  "cost_account_id" integer,
  "cost_group_key" text,
  "project_manager_id" integer,
  "approved_by_employee_id" integer,
  "approval_date" date,
  "actual_begin_date" date,
  "actual_end_date" date,
  "warranty_end_date" date,
  "budget_net" numeric(14,2),
  "budget_vat" numeric(14,2),
  "contingency_amount" numeric(14,2),
  "funding_program" text,
  "funding_amount" numeric(14,2),
  "estimated_cost_net" numeric(14,2),
  "order_count" integer,
  "ordered_net" numeric(14,2),
  "ordered_gross" numeric(14,2),
  "invoiced_net" numeric(14,2),
  "invoiced_gross" numeric(14,2),
  "paid_amount" numeric(14,2),
  "remaining_net" numeric(14,2),
  "capitalizable_percent" numeric(5,2),
  "currency" text,
  "created_at" timestamptz not null,
  "changed_at" timestamptz,
  primary key ("project_hdr_id")
);

create table "customer_example"."report_hdr" (
  "report_hdr_id" integer not null,
  "property_id" integer not null,
  "to_hdr_id" integer,
  "person_id" integer,
  "report_type_key" text,
  "status_key" text,
  "priority_key" text,
  "report_date" date,
  "report_no" text not null,
  "subject" text,
  "description" text,
  "reporter_type_key" text,
  "floor_area_id" text,
  "responsible_employee_id" integer,
  "due_date" date,
  "completed_date" date,
  "is_insurance_claim" boolean not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("report_hdr_id")
);

create table "customer_example"."building" (
  "building_id" integer not null,
  "property_id" integer not null,
  "building_no" text not null,
  "building_name" text,
  "street" text,
  "house_no" text,
  "postal_code" text,
  "city" text,
  "construction_year" integer,
  "storey_count" integer,
  "has_elevator" boolean,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("building_id"),
  unique ("property_id", "building_no")
);

create table "customer_example"."catalog_value" (
  "catalog_value_id" integer not null,
  "catalog_name" text not null,
  "value_key" text not null,
  "label_en" text not null,
  "label_de" text not null,
  "sort_no" integer not null,
  "is_active" boolean not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("catalog_value_id"),
  unique ("catalog_name", "value_key")
);

create table "customer_example"."creditor_hdr" (
  "creditor_id" integer not null,
  "creditor_no" integer not null,
  "person_id" integer not null,
  "website" text,
  "creditor_type_key" text,
  "trade_key" text,
  "account_id" integer not null,
  "tax_number" text,
  "vat_id" text,
  "exemption_certificate_number" text,
  "exemption_certificate_valid_until" date,
  "insurance_valid_until" date,
  "payment_terms_days" integer,
  "cash_discount_percent" numeric(5,2),
  "cash_discount_days" integer,
  "payment_method_key" text,
  "iban" text,
  "bic" text,
  "bank_name" text,
  "contact_name" text,
  "contact_phone" text,
  "contact_email" text,
  "rating" integer,
  "is_blocked" boolean not null,
  "status_key" text not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("creditor_id"),
  unique ("creditor_no"),
  unique ("person_id"),
  unique ("account_id")
);

create table "customer_example"."floor_area" (
  "fa_hdr_id" integer not null,
  "floor_area_id" text not null,
  "property_id" integer not null,
  "building_id" integer,
  "unit_number" text not null,
  "description" text,
  "floor" text,
  "floor_number" integer,
  "location" text,
  "usage_type_key" text not null,
  "occupancy_status_key" text not null,
  "vacant_since" date,
  "available_from" date,
  "area_sqm" numeric(10,2) not null,
  "heated_area_sqm" numeric(10,2),
  "balcony_area_sqm" numeric(10,2),
  "room_count" numeric(4,1),
  "co_ownership_share" numeric(12,4),
  "owner_hdr_id" integer,
  "current_account_id" integer,
  "target_rent_net" numeric(12,2),
  "market_rent_per_sqm" numeric(10,2),
  "vat_option" boolean,
  "is_barrier_free" boolean,
  "is_rent_controlled" boolean,
  "cost_center_id" text,
  "valid_from" date,
  "valid_to" date,
  "is_active" boolean not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("fa_hdr_id"),
  unique ("floor_area_id")
);

create table "customer_example"."owner_hdr" (
  "owner_hdr_id" integer not null,
  "owner_no" text not null,
  "person_id" integer not null,
  "owner_type_key" text,
  "tax_number" text,
  "vat_id" text,
  "is_vat_liable" boolean,
  "iban" text,
  "bic" text,
  "account_holder" text,
  "representative_name" text,
  "contact_name" text,
  "contact_phone" text,
  "contact_email" text,
  "statement_interval_key" text,
  "payout_day" integer,
  "valid_from" date,
  "valid_to" date,
  "is_active" boolean not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("owner_hdr_id"),
  unique ("owner_no"),
  unique ("person_id")
);

create table "customer_example"."person" (
  "person_id" integer not null,
  "person_type_key" text not null,
  "salutation" text,
  "title" text,
  "first_name" text,
  "last_name" text,
  "company_name" text,
  "street" text,
  "house_no" text,
  "postal_code" text,
  "city" text,
  "country_code" text,
  "email" text,
  "phone" text,
  "mobile" text,
  "birth_date" date,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("person_id")
);

create table "customer_example"."prop_cred_service" (
  "prop_cred_service_id" integer not null,
  "property_id" integer not null,
  "creditor_id" integer not null,
  "service_type_key" text not null,
  "trade_key" text,
  "description" text,
  "rank_no" integer not null,
  "is_emergency_service" boolean not null,
  "service_contract_hdr_id" integer,
  "hourly_rate_net" numeric(10,2),
  "response_time_hours" integer,
  "contact_name" text,
  "contact_phone" text,
  "contact_email" text,
  "valid_from" date not null,
  "valid_to" date,
  "is_active" boolean not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("prop_cred_service_id"),
  unique ("property_id", "creditor_id", "service_type_key", "valid_from"),
  unique ("property_id", "service_type_key", "rank_no", "prop_cred_service_id")
);

create table "customer_example"."property_hdr" (
  "property_id" integer not null,
  "property_name" text not null,
  "short_name" text,
  "company_number" text,
  "property_type_key" text,
  "management_type_key" text,
  "status_key" text,
  "country_code" text,
  "federal_state" text,
  "latitude" numeric(9,6),
  "longitude" numeric(9,6),
  "owner_hdr_id" integer,
  "property_manager_id" integer,
  "technical_manager_id" integer,
  "accountant_id" integer,
  "construction_year" integer,
  "refurbishment_year" integer,
  "acquisition_date" date,
  "disposal_date" date,
  "management_start_date" date,
  "management_end_date" date,
  "plot_area_sqm" numeric(12,2),
  "lettable_area_sqm" numeric(12,2),
  "residential_area_sqm" numeric(12,2),
  "commercial_area_sqm" numeric(12,2),
  "unit_count" integer,
  "parking_count" integer,
  "heating_type_key" text,
  "energy_certificate_class_key" text,
  "energy_certificate_valid_until" date,
  "market_value" numeric(14,2),
  "market_value_date" date,
  "street" text,
  "house_no" text,
  "postal_code" text,
  "city" text,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("property_id")
);

create table "customer_example"."staff_hdr" (
  "staff_hdr_id" integer not null,
  "staff_no" text not null,
  "person_id" integer not null,
  "user_name" text,
  "job_title" text,
  "role_key" text,
  "department" text,
  "team" text,
  "supervisor_staff_hdr_id" integer,
  "cost_center_id" text,
  "approval_limit_net" numeric(12,2),
  "entry_date" date,
  "exit_date" date,
  "is_active" boolean not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("staff_hdr_id"),
  unique ("staff_no"),
  unique ("person_id")
);

create table "customer_example"."to_hdr" (
  "to_hdr_id" integer not null,
  "to_no" text,
  "to_name" text not null,
  "to_type_key" text,
  "property_id" integer not null,
  "building_id" integer,
  "floor_area_id" text,
  "parent_to_hdr_id" integer,
  "location_description" text,
  "cost_group_key" text,
  "manufacturer" text,
  "model" text,
  "serial_number" text,
  "year_built" integer,
  "installation_date" date,
  "warranty_end_date" date,
  "decommissioning_date" date,
  "status_key" text,
  "condition_rating" integer,
  "maintenance_required" boolean not null,
  "maintenance_interval_months" integer,
  "last_maintenance_date" date,
  "next_maintenance_date" date,
  "inspection_required" boolean not null,
  "inspection_interval_months" integer,
  "last_inspection_date" date,
  "next_inspection_date" date,
  "service_contract_hdr_id" integer,
  "creditor_id" integer,
  "responsible_employee_id" integer,
  "replacement_cost" numeric(14,2),
  "remaining_life_years" numeric(5,1),
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("to_hdr_id")
);

create index if not exists "ix_asset_depr_asset_hdr_id" on "customer_example"."asset_depr" ("asset_hdr_id");

create index if not exists "ix_booking_pos_account_id" on "customer_example"."booking_pos" ("account_id");

create index if not exists "ix_booking_pos_booking_hdr_id" on "customer_example"."booking_pos" ("booking_hdr_id");

create index if not exists "ix_budget_pos_account_id" on "customer_example"."budget_pos" ("account_id");

create index if not exists "ix_contract_condition_account_id" on "customer_example"."contract_condition" ("account_id");

create index if not exists "ix_contract_end_account_id" on "customer_example"."contract_end" ("account_id");

create index if not exists "ix_debit_change_account_id" on "customer_example"."debit_change" ("account_id");

create index if not exists "ix_floor_area_building_id" on "customer_example"."floor_area" ("building_id");

create index if not exists "ix_index_agreement_account_id" on "customer_example"."index_agreement" ("account_id");

create index if not exists "ix_order_hdr_creditor_no" on "customer_example"."order_hdr" ("creditor_no");

create index if not exists "ix_order_hdr_floor_area_id" on "customer_example"."order_hdr" ("floor_area_id");

create index if not exists "ix_project_hdr_creditor_id" on "customer_example"."project_hdr" ("creditor_id");

create index if not exists "ix_prop_cred_service_creditor_id" on "customer_example"."prop_cred_service" ("creditor_id");

create index if not exists "ix_service_contract_hdr_creditor_id" on "customer_example"."service_contract_hdr" ("creditor_id");

create index if not exists "ix_tenancy_hdr_person_id" on "customer_example"."tenancy_hdr" ("person_id");

create index if not exists "ix_to_hdr_building_id" on "customer_example"."to_hdr" ("building_id");

create index if not exists "ix_contract_condition_property" on "customer_example"."contract_condition" ("property_id", "condition_id");

create index if not exists "ix_contract_end_property" on "customer_example"."contract_end" ("property_id", "contract_end_id");

create index if not exists "ix_debit_change_property" on "customer_example"."debit_change" ("property_id", "debit_change_id");

create index if not exists "ix_index_agreement_property" on "customer_example"."index_agreement" ("property_id", "index_agreement_id");

create index if not exists "ix_service_contract_hdr_property" on "customer_example"."service_contract_hdr" ("property_id", "service_contract_hdr_id");

create index if not exists "ix_tenancy_hdr_property" on "customer_example"."tenancy_hdr" ("property_id", "tenancy_hdr_id");

create index if not exists "ix_account_property" on "customer_example"."account" ("property_id", "account_id");

create index if not exists "ix_asset_depr_property" on "customer_example"."asset_depr" ("property_id", "asset_depr_id");

create index if not exists "ix_asset_hdr_property" on "customer_example"."asset_hdr" ("property_id", "asset_hdr_id");

create index if not exists "ix_booking_hdr_property" on "customer_example"."booking_hdr" ("property_id", "booking_hdr_id");

create index if not exists "ix_booking_pos_property" on "customer_example"."booking_pos" ("property_id", "booking_pos_id");

create index if not exists "ix_budget_pos_property" on "customer_example"."budget_pos" ("property_id", "budget_pos_id");

create index if not exists "ix_cost_center_property" on "customer_example"."cost_center" ("property_id", "cost_center_hdr_id");

create index if not exists "ix_offer_hdr_property" on "customer_example"."offer_hdr" ("property_id", "offer_hdr_id");

create index if not exists "ix_order_hdr_property" on "customer_example"."order_hdr" ("property_id", "order_hdr_id");

create index if not exists "ix_project_hdr_property" on "customer_example"."project_hdr" ("property_id", "project_hdr_id");

create index if not exists "ix_report_hdr_property" on "customer_example"."report_hdr" ("property_id", "report_hdr_id");

create index if not exists "ix_building_property" on "customer_example"."building" ("property_id", "building_id");

create index if not exists "ix_floor_area_property" on "customer_example"."floor_area" ("property_id", "fa_hdr_id");

create index if not exists "ix_prop_cred_service_property" on "customer_example"."prop_cred_service" ("property_id", "prop_cred_service_id");

create index if not exists "ix_to_hdr_property" on "customer_example"."to_hdr" ("property_id", "to_hdr_id");

create table "customer_example"."accounts" (
  "account_id" integer not null,
  "account_number" text collate "C" not null,
  "account_name" text collate "C" not null,
  "account_type" text collate "C" not null,
  "account_class" integer,
  "account_group" text collate "C",
  "account_group_name" text collate "C",
  "balance_type" text collate "C",
  "normal_side" text collate "C",
  "property_id" integer,
  "collective_account_id" integer,
  "operating_cost_type" text collate "C",
  "is_allocable" boolean,
  "vat_code" text collate "C",
  "is_collective_account" boolean not null,
  "is_posting_allowed" boolean not null,
  "currency" text collate "C" not null,
  "valid_from" date,
  "valid_to" date,
  "is_active" boolean not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("account_id")
);

create unique index if not exists "ix_accounts_account_number" on "customer_example"."accounts" ("account_number");

create index if not exists "ix_accounts_account_type" on "customer_example"."accounts" ("account_type", "account_id");

create index if not exists "ix_accounts_account_class" on "customer_example"."accounts" ("account_class", "account_id");

create index if not exists "ix_accounts_account_group" on "customer_example"."accounts" ("account_group", "account_id");

create index if not exists "ix_accounts_balance_type" on "customer_example"."accounts" ("balance_type", "account_id");

create index if not exists "ix_accounts_property_id" on "customer_example"."accounts" ("property_id", "account_id");

create index if not exists "ix_accounts_collective_account_id" on "customer_example"."accounts" ("collective_account_id", "account_id");

create index if not exists "ix_accounts_operating_cost_type" on "customer_example"."accounts" ("operating_cost_type", "account_id");

create index if not exists "ix_accounts_is_allocable" on "customer_example"."accounts" ("is_allocable", "account_id");

create index if not exists "ix_accounts_is_active" on "customer_example"."accounts" ("is_active", "account_id");

-- published as
-- select
--   ac."account_id" as "account_id",
--   ac."account_number" as "account_number",
--   ac."account_name" as "account_name",
--   ac."account_type_key" as "account_type",
--   ac."account_class" as "account_class",
--   ac."account_group" as "account_group",
--   ac."account_group_name" as "account_group_name",
--   ac."balance_type_key" as "balance_type",
--   ac."normal_side_key" as "normal_side",
--   ac."property_id" as "property_id",
--   ac."collective_account_id" as "collective_account_id",
--   ac."operating_cost_type_key" as "operating_cost_type",
--   ac."is_allocable" as "is_allocable",
--   ac."vat_code_key" as "vat_code",
--   ac."is_collective_account" as "is_collective_account",
--   ac."is_posting_allowed" as "is_posting_allowed",
--   ac."currency" as "currency",
--   case when isfinite(ac."valid_from") then ac."valid_from" end as "valid_from",
--   case when isfinite(ac."valid_to") then ac."valid_to" end as "valid_to",
--   ac."is_active" as "is_active",
--   case when isfinite(ac."created_at") then ac."created_at" end as "created_at",
--   case when isfinite(ac."changed_at") then ac."changed_at" end as "changed_at"
-- from "customer_example"."account" ac

create table "customer_example"."booking_header" (
  "booking_header_id" bigint not null,
  "property_id" integer not null,
  "company_number" text collate "C",
  "document_number" text collate "C" not null,
  "booking_type" text collate "C" not null,
  "fiscal_year" integer not null,
  "fiscal_period" integer not null,
  "booking_date" date not null,
  "document_date" date not null,
  "due_date" date,
  "booking_text" text collate "C",
  "account_id" integer,
  "creditor_id" integer,
  "order_id" integer,
  "external_document_number" text collate "C",
  "total_amount" numeric(14,2) not null,
  "position_count" integer not null,
  "currency" text collate "C" not null,
  "source_module" text collate "C",
  "is_reversal" boolean not null,
  "reversed_booking_header_id" bigint,
  "status" text collate "C" not null,
  "posted_by_employee_id" integer,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("booking_header_id")
);

create index if not exists "ix_booking_header_fiscal_year" on "customer_example"."booking_header" ("fiscal_year", "booking_header_id");

create index if not exists "ix_booking_header_property_id" on "customer_example"."booking_header" ("property_id", "booking_header_id");

create index if not exists "ix_booking_header_fiscal_year_document_number" on "customer_example"."booking_header" ("fiscal_year", "document_number", "booking_header_id");

create index if not exists "ix_booking_header_fiscal_year_fiscal_period" on "customer_example"."booking_header" ("fiscal_year", "fiscal_period", "booking_header_id");

create index if not exists "ix_booking_header_account_id" on "customer_example"."booking_header" ("account_id", "booking_header_id");

create index if not exists "ix_booking_header_creditor_id" on "customer_example"."booking_header" ("creditor_id", "booking_header_id");

create index if not exists "ix_booking_header_order_id" on "customer_example"."booking_header" ("order_id", "booking_header_id");

create index if not exists "ix_booking_header_fiscal_year_external_document_number" on "customer_example"."booking_header" ("fiscal_year", "external_document_number", "booking_header_id");

create index if not exists "ix_booking_header_reversed_booking_header_id" on "customer_example"."booking_header" ("reversed_booking_header_id", "booking_header_id");

create index if not exists "ix_booking_header_posted_by_employee_id" on "customer_example"."booking_header" ("posted_by_employee_id", "booking_header_id");

create index if not exists "ix_booking_header_fiscal_year_property_id" on "customer_example"."booking_header" ("fiscal_year", "property_id", "booking_header_id");

-- published as
-- select
--   bh."booking_hdr_id" as "booking_header_id",
--   bh."property_id" as "property_id",
--   bh."company_number" as "company_number",
--   bh."document_number" as "document_number",
--   bh."booking_type_key" as "booking_type",
--   bh."fiscal_year" as "fiscal_year",
--   bh."fiscal_period" as "fiscal_period",
--   case when isfinite(bh."booking_date") then bh."booking_date" end as "booking_date",
--   case when isfinite(bh."document_date") then bh."document_date" end as "document_date",
--   case when isfinite(bh."due_date") then bh."due_date" end as "due_date",
--   bh."booking_text" as "booking_text",
--   bh."account_id" as "account_id",
--   bh."creditor_id" as "creditor_id",
--   bh."order_id" as "order_id",
--   bh."external_document_number" as "external_document_number",
--   nullif(bh."total_amount", 'NaN') as "total_amount",
--   bh."position_count" as "position_count",
--   bh."currency" as "currency",
--   bh."source_module_key" as "source_module",
--   bh."is_reversal" as "is_reversal",
--   bh."reversed_booking_hdr_id" as "reversed_booking_header_id",
--   bh."status_key" as "status",
--   bh."posted_by_employee_id" as "posted_by_employee_id",
--   case when isfinite(bh."created_at") then bh."created_at" end as "created_at",
--   case when isfinite(bh."changed_at") then bh."changed_at" end as "changed_at"
-- from "customer_example"."booking_hdr" bh

create table "customer_example"."booking_positions" (
  "booking_position_id" bigint not null,
  "booking_header_id" bigint not null,
  "position_number" integer not null,
  "document_number" text collate "C",
  "property_id" integer not null,
  "fiscal_year" integer not null,
  "fiscal_period" integer not null,
  "booking_date" date not null,
  "account_id" integer not null,
  "account_number" text collate "C",
  "contra_account_id" integer,
  "floor_area_id" text collate "C",
  "cost_center_id" text collate "C",
  "debit_credit" text collate "C" not null,
  "amount" numeric(14,2) not null,
  "signed_amount" numeric(14,2) not null,
  "vat_code" text collate "C",
  "vat_rate" numeric(5,2),
  "vat_base_amount" numeric(14,2),
  "booking_text" text collate "C",
  "order_id" integer,
  "project_hdr_id" integer,
  "contract_debit_id" bigint,
  "service_period_from" date,
  "service_period_to" date,
  "is_allocable" boolean,
  "clearing_number" text collate "C",
  "cleared_date" date,
  "currency" text collate "C" not null,
  "changed_at" timestamptz not null,
  primary key ("booking_position_id")
);

create index if not exists "ix_booking_positions_property_id_fiscal_year" on "customer_example"."booking_positions" ("property_id", "fiscal_year", "booking_position_id");

create index if not exists "ix_booking_positions_booking_header_id" on "customer_example"."booking_positions" ("booking_header_id", "booking_position_id");

create index if not exists "ix_booking_positions_property_id" on "customer_example"."booking_positions" ("property_id", "booking_position_id");

create index if not exists "ix_booking_positions_account_id" on "customer_example"."booking_positions" ("account_id", "booking_position_id");

create index if not exists "ix_booking_positions_contra_account_id" on "customer_example"."booking_positions" ("contra_account_id", "booking_position_id");

create index if not exists "ix_booking_positions_floor_area_id" on "customer_example"."booking_positions" ("floor_area_id", "booking_position_id");

create index if not exists "ix_booking_positions_order_id" on "customer_example"."booking_positions" ("order_id", "booking_position_id");

create index if not exists "ix_booking_positions_project_hdr_id" on "customer_example"."booking_positions" ("project_hdr_id", "booking_position_id");

create index if not exists "ix_booking_positions_contract_debit_id" on "customer_example"."booking_positions" ("contract_debit_id", "booking_position_id");

-- published as
-- select
--   bp."booking_pos_id" as "booking_position_id",
--   bp."booking_hdr_id" as "booking_header_id",
--   bp."position_number" as "position_number",
--   bh.document_number as "document_number",
--   bp."property_id" as "property_id",
--   bp."fiscal_year" as "fiscal_year",
--   bp."fiscal_period" as "fiscal_period",
--   case when isfinite(bp."booking_date") then bp."booking_date" end as "booking_date",
--   bp."account_id" as "account_id",
--   ac.account_number as "account_number",
--   bp."contra_account_id" as "contra_account_id",
--   bp."floor_area_id" as "floor_area_id",
--   bp."cost_center_id" as "cost_center_id",
--   bp."debit_credit_key" as "debit_credit",
--   nullif(bp."amount", 'NaN') as "amount",
--   nullif((CASE WHEN bp.debit_credit_key = 'credit' THEN -bp.amount ELSE bp.amount END)::numeric(14,2), 'NaN') as "signed_amount",
--   bp."vat_code_key" as "vat_code",
--   nullif(bp."vat_rate", 'NaN') as "vat_rate",
--   nullif(bp."vat_base_amount", 'NaN') as "vat_base_amount",
--   bp."booking_text" as "booking_text",
--   bp."order_id" as "order_id",
--   bp."project_hdr_id" as "project_hdr_id",
--   bp."condition_id" as "contract_debit_id",
--   case when isfinite(bp."service_period_from") then bp."service_period_from" end as "service_period_from",
--   case when isfinite(bp."service_period_to") then bp."service_period_to" end as "service_period_to",
--   bp."is_allocable" as "is_allocable",
--   bp."clearing_number" as "clearing_number",
--   case when isfinite(bp."cleared_date") then bp."cleared_date" end as "cleared_date",
--   bp."currency" as "currency",
--   case when isfinite(bp."changed_at") then bp."changed_at" end as "changed_at"
-- from "customer_example"."booking_pos" bp
-- left join "customer_example"."booking_hdr" bh on bh."booking_hdr_id" = bp.booking_hdr_id
-- left join "customer_example"."account" ac on ac."account_id" = bp.account_id

create table "customer_example"."budgets" (
  "budget_id" bigint not null,
  "property_id" integer not null,
  "account_id" integer not null,
  "account_number" text collate "C",
  "account_name" text collate "C",
  "fiscal_year" integer not null,
  "fiscal_period" integer not null,
  "budget_version" text collate "C" not null,
  "amount" numeric(14,2) not null,
  "annual_amount" numeric(14,2) not null,
  "cost_center_id" text collate "C",
  "project_hdr_id" integer,
  "is_allocable" boolean,
  "planning_basis" text collate "C",
  "comment" text collate "C",
  "status" text collate "C" not null,
  "approved_by_employee_id" integer,
  "approved_date" date,
  "currency" text collate "C" not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("budget_id")
);

create index if not exists "ix_budgets_property_id" on "customer_example"."budgets" ("property_id", "budget_id");

create index if not exists "ix_budgets_account_id" on "customer_example"."budgets" ("account_id", "budget_id");

create index if not exists "ix_budgets_fiscal_year" on "customer_example"."budgets" ("fiscal_year", "budget_id");

create index if not exists "ix_budgets_fiscal_period" on "customer_example"."budgets" ("fiscal_period", "budget_id");

create index if not exists "ix_budgets_budget_version" on "customer_example"."budgets" ("budget_version", "budget_id");

create index if not exists "ix_budgets_cost_center_id" on "customer_example"."budgets" ("cost_center_id", "budget_id");

create index if not exists "ix_budgets_project_hdr_id" on "customer_example"."budgets" ("project_hdr_id", "budget_id");

create index if not exists "ix_budgets_status" on "customer_example"."budgets" ("status", "budget_id");

create index if not exists "ix_budgets_approved_by_employee_id" on "customer_example"."budgets" ("approved_by_employee_id", "budget_id");

-- published as
-- select
--   bu."budget_pos_id" as "budget_id",
--   bu."property_id" as "property_id",
--   bu."account_id" as "account_id",
--   ac.account_number as "account_number",
--   ac.account_name as "account_name",
--   bu."fiscal_year" as "fiscal_year",
--   bu."fiscal_period" as "fiscal_period",
--   bu."budget_version_key" as "budget_version",
--   nullif(bu."amount", 'NaN') as "amount",
--   nullif(bu."annual_amount", 'NaN') as "annual_amount",
--   bu."cost_center_id" as "cost_center_id",
--   bu."project_hdr_id" as "project_hdr_id",
--   bu."is_allocable" as "is_allocable",
--   bu."planning_basis_key" as "planning_basis",
--   bu."comment" as "comment",
--   bu."status_key" as "status",
--   bu."approved_by_employee_id" as "approved_by_employee_id",
--   case when isfinite(bu."approved_date") then bu."approved_date" end as "approved_date",
--   bu."currency" as "currency",
--   case when isfinite(bu."created_at") then bu."created_at" end as "created_at",
--   case when isfinite(bu."changed_at") then bu."changed_at" end as "changed_at"
-- from "customer_example"."budget_pos" bu
-- left join "customer_example"."account" ac on ac."account_id" = bu.account_id

create table "customer_example"."kontenmapping_ranges" (
  "range_id" integer not null,
  "mapping_name" text collate "C" not null,
  "account_from" text collate "C" not null,
  "account_to" text collate "C" not null,
  "target_code" text collate "C" not null,
  "target_name" text collate "C" not null,
  "target_group" text collate "C",
  "statement_type" text collate "C" not null,
  "level_1" text collate "C",
  "level_2" text collate "C",
  "level_3" text collate "C",
  "sign" integer not null,
  "sort_order" integer not null,
  "is_allocable" boolean,
  "valid_from" date not null,
  "valid_to" date,
  "is_active" boolean not null,
  "comment" text collate "C",
  "changed_at" timestamptz not null,
  primary key ("range_id")
);

create unique index if not exists "ix_kontenmapping_ranges_sort" on "customer_example"."kontenmapping_ranges" ("mapping_name", "account_from", "range_id");

create index if not exists "ix_kontenmapping_ranges_mapping_name" on "customer_example"."kontenmapping_ranges" ("mapping_name", "account_from", "range_id");

create index if not exists "ix_kontenmapping_ranges_account_from" on "customer_example"."kontenmapping_ranges" ("account_from", "mapping_name", "range_id");

create index if not exists "ix_kontenmapping_ranges_account_to" on "customer_example"."kontenmapping_ranges" ("account_to", "mapping_name", "account_from", "range_id");

create index if not exists "ix_kontenmapping_ranges_target_code" on "customer_example"."kontenmapping_ranges" ("target_code", "mapping_name", "account_from", "range_id");

create index if not exists "ix_kontenmapping_ranges_target_group" on "customer_example"."kontenmapping_ranges" ("target_group", "mapping_name", "account_from", "range_id");

create index if not exists "ix_kontenmapping_ranges_statement_type" on "customer_example"."kontenmapping_ranges" ("statement_type", "mapping_name", "account_from", "range_id");

create index if not exists "ix_kontenmapping_ranges_is_active" on "customer_example"."kontenmapping_ranges" ("is_active", "mapping_name", "account_from", "range_id");

-- published as
-- select
--   km."kontenmapping_id" as "range_id",
--   km."mapping_name" as "mapping_name",
--   km."account_from" as "account_from",
--   km."account_to" as "account_to",
--   km."target_code" as "target_code",
--   km."target_name" as "target_name",
--   km."target_group" as "target_group",
--   km."statement_type_key" as "statement_type",
--   km."level_1" as "level_1",
--   km."level_2" as "level_2",
--   km."level_3" as "level_3",
--   km."sign" as "sign",
--   km."sort_order" as "sort_order",
--   km."is_allocable" as "is_allocable",
--   case when isfinite(km."valid_from") then km."valid_from" end as "valid_from",
--   case when isfinite(km."valid_to") then km."valid_to" end as "valid_to",
--   km."is_active" as "is_active",
--   km."comment" as "comment",
--   case when isfinite(km."changed_at") then km."changed_at" end as "changed_at"
-- from "customer_example"."kontenmapping" km

create table "customer_example"."contract_debit_diffs" (
  "contract_debit_diff_id" bigint not null,
  "property_id" integer not null,
  "account_id" integer not null,
  "floor_area_id" text collate "C" not null,
  "contract_number" text collate "C",
  "name" text collate "C",
  "debit_type" text collate "C" not null,
  "effective_date" date not null,
  "previous_contract_debit_id" bigint,
  "new_contract_debit_id" bigint,
  "previous_net" numeric(12,2) not null,
  "new_net" numeric(12,2) not null,
  "diff_net" numeric(12,2) not null,
  "diff_percent" numeric(9,4),
  "previous_gross" numeric(12,2) not null,
  "new_gross" numeric(12,2) not null,
  "diff_gross" numeric(12,2) not null,
  "change_type" text collate "C" not null,
  "change_reason" text collate "C",
  "index_rent_id" integer,
  "announcement_date" date,
  "approved_by_employee_id" integer,
  "currency" text collate "C" not null,
  "created_at" timestamptz not null,
  primary key ("contract_debit_diff_id")
);

create index if not exists "ix_contract_debit_diffs_property_id" on "customer_example"."contract_debit_diffs" ("property_id", "contract_debit_diff_id");

create index if not exists "ix_contract_debit_diffs_account_id" on "customer_example"."contract_debit_diffs" ("account_id", "contract_debit_diff_id");

create index if not exists "ix_contract_debit_diffs_floor_area_id" on "customer_example"."contract_debit_diffs" ("floor_area_id", "contract_debit_diff_id");

create index if not exists "ix_contract_debit_diffs_debit_type" on "customer_example"."contract_debit_diffs" ("debit_type", "contract_debit_diff_id");

create index if not exists "ix_contract_debit_diffs_previous_contract_debit_id" on "customer_example"."contract_debit_diffs" ("previous_contract_debit_id", "contract_debit_diff_id");

create index if not exists "ix_contract_debit_diffs_new_contract_debit_id" on "customer_example"."contract_debit_diffs" ("new_contract_debit_id", "contract_debit_diff_id");

create index if not exists "ix_contract_debit_diffs_change_type" on "customer_example"."contract_debit_diffs" ("change_type", "contract_debit_diff_id");

create index if not exists "ix_contract_debit_diffs_change_reason" on "customer_example"."contract_debit_diffs" ("change_reason", "contract_debit_diff_id");

create index if not exists "ix_contract_debit_diffs_index_rent_id" on "customer_example"."contract_debit_diffs" ("index_rent_id", "contract_debit_diff_id");

create index if not exists "ix_contract_debit_diffs_approved_by_employee_id" on "customer_example"."contract_debit_diffs" ("approved_by_employee_id", "contract_debit_diff_id");

-- published as
-- select
--   dc."debit_change_id" as "contract_debit_diff_id",
--   dc."property_id" as "property_id",
--   dc."account_id" as "account_id",
--   dc."floor_area_id" as "floor_area_id",
--   tn.contract_number as "contract_number",
--   COALESCE(pe.company_name, NULLIF(substr(COALESCE(' ' || pe.title, '') || COALESCE(' ' || pe.first_name, '') || COALESCE(' ' || pe.last_name, ''), 2), '')) as "name",
--   dc."debit_type_key" as "debit_type",
--   case when isfinite(dc."effective_date") then dc."effective_date" end as "effective_date",
--   dc."previous_condition_id" as "previous_contract_debit_id",
--   dc."new_condition_id" as "new_contract_debit_id",
--   nullif(dc."previous_net", 'NaN') as "previous_net",
--   nullif(dc."new_net", 'NaN') as "new_net",
--   nullif((dc.new_net - dc.previous_net)::numeric(12,2), 'NaN') as "diff_net",
--   nullif(round((dc.new_net - dc.previous_net) * 100 / NULLIF(dc.previous_net, 0), 4)::numeric(9,4), 'NaN') as "diff_percent",
--   nullif(dc."previous_gross", 'NaN') as "previous_gross",
--   nullif(dc."new_gross", 'NaN') as "new_gross",
--   nullif((dc.new_gross - dc.previous_gross)::numeric(12,2), 'NaN') as "diff_gross",
--   dc."change_type_key" as "change_type",
--   dc."change_reason_key" as "change_reason",
--   dc."index_agreement_id" as "index_rent_id",
--   case when isfinite(dc."announcement_date") then dc."announcement_date" end as "announcement_date",
--   dc."approved_by_employee_id" as "approved_by_employee_id",
--   dc."currency" as "currency",
--   case when isfinite(dc."created_at") then dc."created_at" end as "created_at"
-- from "customer_example"."debit_change" dc
-- left join "customer_example"."tenancy_hdr" tn on tn."account_id" = dc.account_id
-- left join "customer_example"."person" pe on pe."person_id" = tn.person_id

create table "customer_example"."contract_debits" (
  "contract_debit_id" bigint not null,
  "property_id" integer not null,
  "account_id" integer not null,
  "floor_area_id" text collate "C" not null,
  "contract_number" text collate "C",
  "name" text collate "C",
  "debit_type" text collate "C" not null,
  "debit_number" text collate "C",
  "description" text collate "C",
  "valid_from" date not null,
  "valid_to" date,
  "net_amount" numeric(12,2) not null,
  "vat_rate" numeric(5,2) not null,
  "vat_amount" numeric(12,2) not null,
  "gross_amount" numeric(12,2) not null,
  "area_sqm" numeric(10,2),
  "amount_per_sqm" numeric(12,4),
  "payment_interval" text collate "C" not null,
  "due_day" integer,
  "revenue_account_id" integer,
  "index_rent_id" integer,
  "is_advance_payment" boolean not null,
  "currency" text collate "C" not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("contract_debit_id")
);

create index if not exists "ix_contract_debits_property_id" on "customer_example"."contract_debits" ("property_id", "contract_debit_id");

create index if not exists "ix_contract_debits_account_id" on "customer_example"."contract_debits" ("account_id", "contract_debit_id");

create index if not exists "ix_contract_debits_floor_area_id" on "customer_example"."contract_debits" ("floor_area_id", "contract_debit_id");

create index if not exists "ix_contract_debits_debit_type" on "customer_example"."contract_debits" ("debit_type", "contract_debit_id");

create index if not exists "ix_contract_debits_debit_number" on "customer_example"."contract_debits" ("debit_number", "contract_debit_id");

create index if not exists "ix_contract_debits_revenue_account_id" on "customer_example"."contract_debits" ("revenue_account_id", "contract_debit_id");

create index if not exists "ix_contract_debits_index_rent_id" on "customer_example"."contract_debits" ("index_rent_id", "contract_debit_id");

create index if not exists "ix_contract_debits_is_advance_payment" on "customer_example"."contract_debits" ("is_advance_payment", "contract_debit_id");

-- published as
-- select
--   cc."condition_id" as "contract_debit_id",
--   cc."property_id" as "property_id",
--   cc."account_id" as "account_id",
--   cc."floor_area_id" as "floor_area_id",
--   tn.contract_number as "contract_number",
--   COALESCE(pe.company_name, NULLIF(substr(COALESCE(' ' || pe.title, '') || COALESCE(' ' || pe.first_name, '') || COALESCE(' ' || pe.last_name, ''), 2), '')) as "name",
--   cc."debit_type_key" as "debit_type",
--   cc."debit_number" as "debit_number",
--   cc."description" as "description",
--   case when isfinite(cc."valid_from") then cc."valid_from" end as "valid_from",
--   case when isfinite(cc."valid_to") then cc."valid_to" end as "valid_to",
--   nullif(cc."net_amount", 'NaN') as "net_amount",
--   nullif(cc."vat_rate", 'NaN') as "vat_rate",
--   nullif(cc."vat_amount", 'NaN') as "vat_amount",
--   nullif(cc."gross_amount", 'NaN') as "gross_amount",
--   nullif(cc."area_sqm", 'NaN') as "area_sqm",
--   nullif(round(cc.net_amount / NULLIF(cc.area_sqm, 0), 4)::numeric(12,4), 'NaN') as "amount_per_sqm",
--   cc."payment_interval_key" as "payment_interval",
--   cc."due_day" as "due_day",
--   cc."revenue_account_id" as "revenue_account_id",
--   cc."index_agreement_id" as "index_rent_id",
--   cc."is_advance_payment" as "is_advance_payment",
--   cc."currency" as "currency",
--   case when isfinite(cc."created_at") then cc."created_at" end as "created_at",
--   case when isfinite(cc."changed_at") then cc."changed_at" end as "changed_at"
-- from "customer_example"."contract_condition" cc
-- left join "customer_example"."tenancy_hdr" tn on tn."account_id" = cc.account_id
-- left join "customer_example"."person" pe on pe."person_id" = tn.person_id

create table "customer_example"."contract_ends" (
  "contract_end_id" integer not null,
  "property_id" integer not null,
  "account_id" integer not null,
  "floor_area_id" text collate "C",
  "contract_number" text collate "C",
  "name" text collate "C",
  "entrance" text collate "C",
  "address" text collate "C",
  "terminated_by" text collate "C",
  "end_reason" text collate "C",
  "status" text collate "C" not null,
  "notice_date" date,
  "notice_received_date" date,
  "notice_period_months" integer,
  "contract_end_date" date not null,
  "is_early_release" boolean,
  "move_out_date" date,
  "handover_date" date,
  "refurbishment_required" boolean,
  "refurbishment_order_id" integer,
  "follow_up_account_id" integer,
  "deposit_amount" numeric(12,2),
  "deposit_deductions" numeric(12,2),
  "deposit_payout" numeric(12,2),
  "deposit_settled_date" date,
  "final_settlement_date" date,
  "responsible_employee_id" integer,
  "comment" text collate "C",
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  "city" text collate "C",
  "postal_code" text collate "C",
  primary key ("contract_end_id")
);

create index if not exists "ix_contract_ends_property_id" on "customer_example"."contract_ends" ("property_id", "contract_end_id");

create index if not exists "ix_contract_ends_account_id" on "customer_example"."contract_ends" ("account_id", "contract_end_id");

create index if not exists "ix_contract_ends_floor_area_id" on "customer_example"."contract_ends" ("floor_area_id", "contract_end_id");

create index if not exists "ix_contract_ends_terminated_by" on "customer_example"."contract_ends" ("terminated_by", "contract_end_id");

create index if not exists "ix_contract_ends_end_reason" on "customer_example"."contract_ends" ("end_reason", "contract_end_id");

create index if not exists "ix_contract_ends_status" on "customer_example"."contract_ends" ("status", "contract_end_id");

create index if not exists "ix_contract_ends_contract_end_date" on "customer_example"."contract_ends" ("contract_end_date", "contract_end_id");

create index if not exists "ix_contract_ends_refurbishment_order_id" on "customer_example"."contract_ends" ("refurbishment_order_id", "contract_end_id");

create index if not exists "ix_contract_ends_follow_up_account_id" on "customer_example"."contract_ends" ("follow_up_account_id", "contract_end_id");

create index if not exists "ix_contract_ends_responsible_employee_id" on "customer_example"."contract_ends" ("responsible_employee_id", "contract_end_id");

create index if not exists "ix_contract_ends_city" on "customer_example"."contract_ends" ("city", "contract_end_id");

create index if not exists "ix_contract_ends_postal_code" on "customer_example"."contract_ends" ("postal_code", "contract_end_id");

-- published as
-- select
--   ce."contract_end_id" as "contract_end_id",
--   ce."property_id" as "property_id",
--   ce."account_id" as "account_id",
--   ce."floor_area_id" as "floor_area_id",
--   tn.contract_number as "contract_number",
--   COALESCE(pe.company_name, NULLIF(substr(COALESCE(' ' || pe.title, '') || COALESCE(' ' || pe.first_name, '') || COALESCE(' ' || pe.last_name, ''), 2), '')) as "name",
--   NULLIF(substr(COALESCE(' ' || pe.street, '') || COALESCE(' ' || pe.house_no, ''), 2), '') as "entrance",
--   NULLIF(substr(COALESCE(', ' || pe.postal_code, '') || COALESCE(', ' || pe.city, ''), 3), '') as "address",
--   ce."terminated_by_key" as "terminated_by",
--   ce."end_reason_key" as "end_reason",
--   ce."status_key" as "status",
--   case when isfinite(ce."notice_date") then ce."notice_date" end as "notice_date",
--   case when isfinite(ce."notice_received_date") then ce."notice_received_date" end as "notice_received_date",
--   ce."notice_period_months" as "notice_period_months",
--   case when isfinite(ce."contract_end_date") then ce."contract_end_date" end as "contract_end_date",
--   ce."is_early_release" as "is_early_release",
--   case when isfinite(ce."move_out_date") then ce."move_out_date" end as "move_out_date",
--   case when isfinite(ce."handover_date") then ce."handover_date" end as "handover_date",
--   ce."refurbishment_required" as "refurbishment_required",
--   ce."refurbishment_order_id" as "refurbishment_order_id",
--   ce."follow_up_account_id" as "follow_up_account_id",
--   nullif(ce."deposit_amount", 'NaN') as "deposit_amount",
--   nullif(ce."deposit_deductions", 'NaN') as "deposit_deductions",
--   nullif((ce.deposit_amount - ce.deposit_deductions)::numeric(12,2), 'NaN') as "deposit_payout",
--   case when isfinite(ce."deposit_settled_date") then ce."deposit_settled_date" end as "deposit_settled_date",
--   case when isfinite(ce."final_settlement_date") then ce."final_settlement_date" end as "final_settlement_date",
--   ce."responsible_employee_id" as "responsible_employee_id",
--   ce."comment" as "comment",
--   case when isfinite(ce."created_at") then ce."created_at" end as "created_at",
--   case when isfinite(ce."changed_at") then ce."changed_at" end as "changed_at",
--   pe.city as "city",
--   pe.postal_code as "postal_code"
-- from "customer_example"."contract_end" ce
-- left join "customer_example"."tenancy_hdr" tn on tn."account_id" = ce.account_id
-- left join "customer_example"."person" pe on pe."person_id" = tn.person_id

create table "customer_example"."index_rent" (
  "index_rent_id" integer not null,
  "property_id" integer not null,
  "account_id" integer not null,
  "floor_area_id" text collate "C" not null,
  "contract_number" text collate "C",
  "name" text collate "C",
  "index_name" text collate "C" not null,
  "base_year" integer not null,
  "index_base_month" date not null,
  "base_index_value" numeric(8,2) not null,
  "base_rent_net" numeric(12,2) not null,
  "threshold_type" text collate "C" not null,
  "threshold_value" numeric(8,2) not null,
  "adjustment_percent" numeric(5,2) not null,
  "adjustment_rule" text collate "C" not null,
  "waiting_period_months" integer not null,
  "first_adjustment_date" date,
  "last_adjustment_date" date,
  "reference_index_month" date not null,
  "reference_index_value" numeric(8,2) not null,
  "current_index_month" date not null,
  "current_index_value" numeric(8,2) not null,
  "index_change_percent" numeric(9,4) not null,
  "index_change_points" numeric(8,2) not null,
  "is_threshold_reached" boolean not null,
  "next_check_date" date,
  "current_rent_net" numeric(12,2) not null,
  "adjusted_rent_net" numeric(12,2) not null,
  "max_increase_percent" numeric(5,2),
  "allows_decrease" boolean not null,
  "valid_from" date not null,
  "valid_to" date,
  "status" text collate "C" not null,
  "currency" text collate "C" not null,
  "changed_at" timestamptz not null,
  primary key ("index_rent_id")
);

create index if not exists "ix_index_rent_property_id" on "customer_example"."index_rent" ("property_id", "index_rent_id");

create index if not exists "ix_index_rent_account_id" on "customer_example"."index_rent" ("account_id", "index_rent_id");

create index if not exists "ix_index_rent_index_name" on "customer_example"."index_rent" ("index_name", "index_rent_id");

create index if not exists "ix_index_rent_base_year" on "customer_example"."index_rent" ("base_year", "index_rent_id");

create index if not exists "ix_index_rent_floor_area_id" on "customer_example"."index_rent" ("floor_area_id", "index_rent_id");

-- published as
-- select
--   ia."index_agreement_id" as "index_rent_id",
--   ia."property_id" as "property_id",
--   ia."account_id" as "account_id",
--   ia."floor_area_id" as "floor_area_id",
--   tn.contract_number as "contract_number",
--   COALESCE(pe.company_name, NULLIF(substr(COALESCE(' ' || pe.title, '') || COALESCE(' ' || pe.first_name, '') || COALESCE(' ' || pe.last_name, ''), 2), '')) as "name",
--   ia."index_name" as "index_name",
--   ia."base_year" as "base_year",
--   case when isfinite(ia."index_base_month") then ia."index_base_month" end as "index_base_month",
--   nullif(ia."base_index_value", 'NaN') as "base_index_value",
--   nullif(ia."base_rent_net", 'NaN') as "base_rent_net",
--   ia."threshold_type_key" as "threshold_type",
--   nullif(ia."threshold_value", 'NaN') as "threshold_value",
--   nullif(ia."adjustment_percent", 'NaN') as "adjustment_percent",
--   ia."adjustment_rule_key" as "adjustment_rule",
--   ia."waiting_period_months" as "waiting_period_months",
--   case when isfinite(ia."first_adjustment_date") then ia."first_adjustment_date" end as "first_adjustment_date",
--   case when isfinite(ia."last_adjustment_date") then ia."last_adjustment_date" end as "last_adjustment_date",
--   case when isfinite(ia."reference_index_month") then ia."reference_index_month" end as "reference_index_month",
--   nullif(ia."reference_index_value", 'NaN') as "reference_index_value",
--   case when isfinite(ia."current_index_month") then ia."current_index_month" end as "current_index_month",
--   nullif(ia."current_index_value", 'NaN') as "current_index_value",
--   nullif(round((ia.current_index_value / NULLIF(ia.reference_index_value, 0) - 1) * 100, 4)::numeric(9,4), 'NaN') as "index_change_percent",
--   nullif((ia.current_index_value - ia.reference_index_value)::numeric(8,2), 'NaN') as "index_change_points",
--   (CASE ia.threshold_type_key WHEN 'percent' THEN abs((ia.current_index_value / NULLIF(ia.reference_index_value, 0) - 1) * 100) >= ia.threshold_value ELSE abs(ia.current_index_value - ia.reference_index_value) >= ia.threshold_value END) as "is_threshold_reached",
--   case when isfinite(ia."next_check_date") then ia."next_check_date" end as "next_check_date",
--   nullif(ia."current_rent_net", 'NaN') as "current_rent_net",
--   nullif((CASE WHEN CASE ia.threshold_type_key WHEN 'percent' THEN abs((ia.current_index_value / NULLIF(ia.reference_index_value, 0) - 1) * 100) >= ia.threshold_value ELSE abs(ia.current_index_value - ia.reference_index_value) >= ia.threshold_value END AND (ia.allows_decrease OR ia.current_index_value > ia.reference_index_value) THEN round(ia.current_rent_net * (1 + LEAST((ia.current_index_value / NULLIF(ia.reference_index_value, 0) - 1) * 100 * ia.adjustment_percent / 100, COALESCE(ia.max_increase_percent, 1000)) / 100), 2) ELSE ia.current_rent_net END)::numeric(12,2), 'NaN') as "adjusted_rent_net",
--   nullif(ia."max_increase_percent", 'NaN') as "max_increase_percent",
--   ia."allows_decrease" as "allows_decrease",
--   case when isfinite(ia."valid_from") then ia."valid_from" end as "valid_from",
--   case when isfinite(ia."valid_to") then ia."valid_to" end as "valid_to",
--   ia."status_key" as "status",
--   ia."currency" as "currency",
--   case when isfinite(ia."changed_at") then ia."changed_at" end as "changed_at"
-- from "customer_example"."index_agreement" ia
-- left join "customer_example"."tenancy_hdr" tn on tn."account_id" = ia.account_id
-- left join "customer_example"."person" pe on pe."person_id" = tn.person_id

create table "customer_example"."service_contracts" (
  "service_contract_id" integer not null,
  "contract_number" text collate "C" not null,
  "property_id" integer not null,
  "creditor_id" integer not null,
  "name" text collate "C",
  "contract_type" text collate "C" not null,
  "trade" text collate "C",
  "description" text collate "C",
  "status" text collate "C" not null,
  "start_date" date not null,
  "end_date" date,
  "notice_period_months" integer,
  "renewal_months" integer,
  "next_termination_date" date,
  "termination_date" date,
  "annual_net" numeric(12,2) not null,
  "vat_rate" numeric(5,2) not null,
  "annual_vat" numeric(12,2) not null,
  "annual_gross" numeric(12,2) not null,
  "payment_interval" text collate "C",
  "cost_account_id" integer,
  "cost_center_id" text collate "C",
  "allocable_percent" numeric(5,2),
  "response_time_hours" integer,
  "service_interval_months" integer,
  "last_service_date" date,
  "next_service_date" date,
  "responsible_employee_id" integer,
  "currency" text collate "C" not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  primary key ("service_contract_id")
);

create index if not exists "ix_service_contracts_contract_number" on "customer_example"."service_contracts" ("contract_number", "service_contract_id");

create index if not exists "ix_service_contracts_property_id" on "customer_example"."service_contracts" ("property_id", "service_contract_id");

create index if not exists "ix_service_contracts_creditor_id" on "customer_example"."service_contracts" ("creditor_id", "service_contract_id");

create index if not exists "ix_service_contracts_contract_type" on "customer_example"."service_contracts" ("contract_type", "service_contract_id");

create index if not exists "ix_service_contracts_trade" on "customer_example"."service_contracts" ("trade", "service_contract_id");

create index if not exists "ix_service_contracts_status" on "customer_example"."service_contracts" ("status", "service_contract_id");

create index if not exists "ix_service_contracts_cost_account_id" on "customer_example"."service_contracts" ("cost_account_id", "service_contract_id");

create index if not exists "ix_service_contracts_cost_center_id" on "customer_example"."service_contracts" ("cost_center_id", "service_contract_id");

create index if not exists "ix_service_contracts_responsible_employee_id" on "customer_example"."service_contracts" ("responsible_employee_id", "service_contract_id");

-- published as
-- select
--   sc."service_contract_hdr_id" as "service_contract_id",
--   sc."contract_number" as "contract_number",
--   sc."property_id" as "property_id",
--   sc."creditor_id" as "creditor_id",
--   COALESCE(pe.company_name, NULLIF(substr(COALESCE(' ' || pe.title, '') || COALESCE(' ' || pe.first_name, '') || COALESCE(' ' || pe.last_name, ''), 2), '')) as "name",
--   sc."contract_type_key" as "contract_type",
--   sc."trade_key" as "trade",
--   sc."description" as "description",
--   sc."status_key" as "status",
--   case when isfinite(sc."start_date") then sc."start_date" end as "start_date",
--   case when isfinite(sc."end_date") then sc."end_date" end as "end_date",
--   sc."notice_period_months" as "notice_period_months",
--   sc."renewal_months" as "renewal_months",
--   case when isfinite(sc."next_termination_date") then sc."next_termination_date" end as "next_termination_date",
--   case when isfinite(sc."termination_date") then sc."termination_date" end as "termination_date",
--   nullif(sc."annual_net", 'NaN') as "annual_net",
--   nullif(sc."vat_rate", 'NaN') as "vat_rate",
--   nullif(sc."annual_vat", 'NaN') as "annual_vat",
--   nullif(sc."annual_gross", 'NaN') as "annual_gross",
--   sc."payment_interval_key" as "payment_interval",
--   sc."cost_account_id" as "cost_account_id",
--   sc."cost_center_id" as "cost_center_id",
--   nullif(sc."allocable_percent", 'NaN') as "allocable_percent",
--   sc."response_time_hours" as "response_time_hours",
--   sc."service_interval_months" as "service_interval_months",
--   case when isfinite(sc."last_service_date") then sc."last_service_date" end as "last_service_date",
--   case when isfinite(sc."next_service_date") then sc."next_service_date" end as "next_service_date",
--   sc."responsible_employee_id" as "responsible_employee_id",
--   sc."currency" as "currency",
--   case when isfinite(sc."created_at") then sc."created_at" end as "created_at",
--   case when isfinite(sc."changed_at") then sc."changed_at" end as "changed_at"
-- from "customer_example"."service_contract_hdr" sc
-- left join "customer_example"."creditor_hdr" ch on ch."creditor_id" = sc.creditor_id
-- left join "customer_example"."person" pe on pe."person_id" = ch.person_id

create table "customer_example"."assets" (
  "asset_id" integer not null,
  "asset_number" text collate "C" not null,
  "asset_name" text collate "C" not null,
  "property_id" integer not null,
  "building_id" integer,
  "floor_area_id" text collate "C",
  "to_hdr_id" integer,
  "asset_class" text collate "C" not null,
  "asset_account_id" integer,
  "depreciation_account_id" integer,
  "cost_center_id" text collate "C",
  "creditor_id" integer,
  "order_id" integer,
  "project_hdr_id" integer,
  "acquisition_date" date not null,
  "capitalisation_date" date,
  "acquisition_cost" numeric(14,2) not null,
  "subsidy_amount" numeric(14,2) not null,
  "residual_value" numeric(14,2) not null,
  "depreciable_amount" numeric(14,2) not null,
  "useful_life_years" numeric(5,2),
  "depreciation_method" text collate "C" not null,
  "depreciation_rate_percent" numeric(7,4),
  "depreciation_start_date" date,
  "depreciation_end_date" date,
  "accumulated_depreciation" numeric(14,2) not null,
  "book_value" numeric(14,2) not null,
  "book_value_date" date,
  "disposal_date" date,
  "disposal_proceeds" numeric(14,2),
  "status" text collate "C" not null,
  "currency" text collate "C" not null,
  "changed_at" timestamptz not null,
  primary key ("asset_id")
);

create unique index if not exists "ix_assets_asset_number" on "customer_example"."assets" ("asset_number");

create index if not exists "ix_assets_property_id" on "customer_example"."assets" ("property_id", "asset_id");

create index if not exists "ix_assets_floor_area_id" on "customer_example"."assets" ("floor_area_id", "asset_id");

create index if not exists "ix_assets_to_hdr_id" on "customer_example"."assets" ("to_hdr_id", "asset_id");

create index if not exists "ix_assets_asset_class" on "customer_example"."assets" ("asset_class", "asset_id");

create index if not exists "ix_assets_asset_account_id" on "customer_example"."assets" ("asset_account_id", "asset_id");

create index if not exists "ix_assets_depreciation_account_id" on "customer_example"."assets" ("depreciation_account_id", "asset_id");

create index if not exists "ix_assets_cost_center_id" on "customer_example"."assets" ("cost_center_id", "asset_id");

create index if not exists "ix_assets_creditor_id" on "customer_example"."assets" ("creditor_id", "asset_id");

create index if not exists "ix_assets_order_id" on "customer_example"."assets" ("order_id", "asset_id");

create index if not exists "ix_assets_project_hdr_id" on "customer_example"."assets" ("project_hdr_id", "asset_id");

create index if not exists "ix_assets_depreciation_method" on "customer_example"."assets" ("depreciation_method", "asset_id");

create index if not exists "ix_assets_status" on "customer_example"."assets" ("status", "asset_id");

-- published as
-- select
--   ah."asset_hdr_id" as "asset_id",
--   ah."asset_number" as "asset_number",
--   ah."asset_name" as "asset_name",
--   ah."property_id" as "property_id",
--   ah."building_id" as "building_id",
--   ah."floor_area_id" as "floor_area_id",
--   ah."to_hdr_id" as "to_hdr_id",
--   ah."asset_class_key" as "asset_class",
--   ah."asset_account_id" as "asset_account_id",
--   ah."depreciation_account_id" as "depreciation_account_id",
--   ah."cost_center_id" as "cost_center_id",
--   ah."creditor_id" as "creditor_id",
--   ah."order_id" as "order_id",
--   ah."project_hdr_id" as "project_hdr_id",
--   case when isfinite(ah."acquisition_date") then ah."acquisition_date" end as "acquisition_date",
--   case when isfinite(ah."capitalisation_date") then ah."capitalisation_date" end as "capitalisation_date",
--   nullif(ah."acquisition_cost", 'NaN') as "acquisition_cost",
--   nullif(ah."subsidy_amount", 'NaN') as "subsidy_amount",
--   nullif(ah."residual_value", 'NaN') as "residual_value",
--   nullif((ah.acquisition_cost - ah.subsidy_amount - ah.residual_value)::numeric(14,2), 'NaN') as "depreciable_amount",
--   nullif(ah."useful_life_years", 'NaN') as "useful_life_years",
--   ah."depreciation_method_key" as "depreciation_method",
--   nullif(ah."depreciation_rate_percent", 'NaN') as "depreciation_rate_percent",
--   case when isfinite(ah."depreciation_start_date") then ah."depreciation_start_date" end as "depreciation_start_date",
--   case when isfinite(ah."depreciation_end_date") then ah."depreciation_end_date" end as "depreciation_end_date",
--   nullif(ah."accumulated_depreciation", 'NaN') as "accumulated_depreciation",
--   nullif((ah.acquisition_cost - ah.subsidy_amount - ah.accumulated_depreciation)::numeric(14,2), 'NaN') as "book_value",
--   case when isfinite(ah."book_value_date") then ah."book_value_date" end as "book_value_date",
--   case when isfinite(ah."disposal_date") then ah."disposal_date" end as "disposal_date",
--   nullif(ah."disposal_proceeds", 'NaN') as "disposal_proceeds",
--   ah."status_key" as "status",
--   ah."currency" as "currency",
--   case when isfinite(ah."changed_at") then ah."changed_at" end as "changed_at"
-- from "customer_example"."asset_hdr" ah

create table "customer_example"."depreciation" (
  "depreciation_id" integer not null,
  "asset_id" integer not null,
  "asset_number" text collate "C",
  "property_id" integer not null,
  "fiscal_year" integer not null,
  "depreciation_area" text collate "C" not null,
  "period_from" date not null,
  "period_to" date not null,
  "month_count" integer not null,
  "opening_book_value" numeric(14,2) not null,
  "depreciation_amount" numeric(14,2) not null,
  "unscheduled_amount" numeric(14,2) not null,
  "write_up_amount" numeric(14,2) not null,
  "closing_book_value" numeric(14,2) not null,
  "depreciation_method" text collate "C" not null,
  "depreciation_rate_percent" numeric(7,4),
  "account_id" integer,
  "booking_header_id" bigint,
  "status" text collate "C" not null,
  "posted_date" date,
  "currency" text collate "C" not null,
  "changed_at" timestamptz not null,
  primary key ("depreciation_id")
);

create index if not exists "ix_depreciation_asset_id" on "customer_example"."depreciation" ("asset_id", "depreciation_id");

create index if not exists "ix_depreciation_property_id" on "customer_example"."depreciation" ("property_id", "depreciation_id");

create index if not exists "ix_depreciation_fiscal_year" on "customer_example"."depreciation" ("fiscal_year", "depreciation_id");

create index if not exists "ix_depreciation_depreciation_area" on "customer_example"."depreciation" ("depreciation_area", "depreciation_id");

create index if not exists "ix_depreciation_account_id" on "customer_example"."depreciation" ("account_id", "depreciation_id");

create index if not exists "ix_depreciation_booking_header_id" on "customer_example"."depreciation" ("booking_header_id", "depreciation_id");

create index if not exists "ix_depreciation_status" on "customer_example"."depreciation" ("status", "depreciation_id");

-- published as
-- select
--   ad."asset_depr_id" as "depreciation_id",
--   ad."asset_hdr_id" as "asset_id",
--   ah.asset_number as "asset_number",
--   ad."property_id" as "property_id",
--   ad."fiscal_year" as "fiscal_year",
--   ad."depreciation_area_key" as "depreciation_area",
--   case when isfinite(ad."period_from") then ad."period_from" end as "period_from",
--   case when isfinite(ad."period_to") then ad."period_to" end as "period_to",
--   ad."month_count" as "month_count",
--   nullif(ad."opening_book_value", 'NaN') as "opening_book_value",
--   nullif(ad."depreciation_amount", 'NaN') as "depreciation_amount",
--   nullif(ad."unscheduled_amount", 'NaN') as "unscheduled_amount",
--   nullif(ad."write_up_amount", 'NaN') as "write_up_amount",
--   nullif(ad."closing_book_value", 'NaN') as "closing_book_value",
--   ad."depreciation_method_key" as "depreciation_method",
--   nullif(ad."depreciation_rate_percent", 'NaN') as "depreciation_rate_percent",
--   ad."account_id" as "account_id",
--   ad."booking_hdr_id" as "booking_header_id",
--   ad."status_key" as "status",
--   case when isfinite(ad."posted_date") then ad."posted_date" end as "posted_date",
--   ad."currency" as "currency",
--   case when isfinite(ad."changed_at") then ad."changed_at" end as "changed_at"
-- from "customer_example"."asset_depr" ad
-- left join "customer_example"."asset_hdr" ah on ah."asset_hdr_id" = ad.asset_hdr_id

create table "customer_example"."notifications" (
  "report_hdr_id" integer not null,
  "property_id" integer not null,
  "to_hdr_id" integer,
  "person_id" integer,
  "report_type" text collate "C",
  "status" text collate "C",
  "priority_text" text collate "C",
  "report_date" date,
  primary key ("report_hdr_id")
);

create index if not exists "ix_notifications_property_id" on "customer_example"."notifications" ("property_id", "report_hdr_id");

create index if not exists "ix_notifications_to_hdr_id" on "customer_example"."notifications" ("to_hdr_id", "report_hdr_id");

create index if not exists "ix_notifications_person_id" on "customer_example"."notifications" ("person_id", "report_hdr_id");

create index if not exists "ix_notifications_report_type" on "customer_example"."notifications" ("report_type", "report_hdr_id");

create index if not exists "ix_notifications_status" on "customer_example"."notifications" ("status", "report_hdr_id");

create index if not exists "ix_notifications_priority_text" on "customer_example"."notifications" ("priority_text", "report_hdr_id");

create index if not exists "ix_notifications_report_date" on "customer_example"."notifications" ("report_date", "report_hdr_id");

-- published as
-- select
--   rh."report_hdr_id" as "report_hdr_id",
--   rh."property_id" as "property_id",
--   rh."to_hdr_id" as "to_hdr_id",
--   rh."person_id" as "person_id",
--   rh."report_type_key" as "report_type",
--   rh."status_key" as "status",
--   rh."priority_key" as "priority_text",
--   case when isfinite(rh."report_date") then rh."report_date" end as "report_date"
-- from "customer_example"."report_hdr" rh

create table "customer_example"."offers" (
  "offer_hdr_id" integer not null,
  "property_id" integer not null,
  "creditor_id" integer not null,
  "floor_area_id" text collate "C",
  "offer_value" numeric(14,2),
  "offer_type" text collate "C",
  "status_text" text collate "C",
  "offer_accepted" boolean,
  primary key ("offer_hdr_id")
);

create index if not exists "ix_offers_property_id" on "customer_example"."offers" ("property_id", "offer_hdr_id");

create index if not exists "ix_offers_creditor_id" on "customer_example"."offers" ("creditor_id", "offer_hdr_id");

create index if not exists "ix_offers_floor_area_id" on "customer_example"."offers" ("floor_area_id", "offer_hdr_id");

create index if not exists "ix_offers_offer_type" on "customer_example"."offers" ("offer_type", "offer_hdr_id");

create index if not exists "ix_offers_status_text" on "customer_example"."offers" ("status_text", "offer_hdr_id");

create index if not exists "ix_offers_offer_accepted" on "customer_example"."offers" ("offer_accepted", "offer_hdr_id");

-- published as
-- select
--   fh."offer_hdr_id" as "offer_hdr_id",
--   fh."property_id" as "property_id",
--   fh."creditor_id" as "creditor_id",
--   fh."floor_area_id" as "floor_area_id",
--   nullif(fh."net_value", 'NaN') as "offer_value",
--   fh."offer_type_key" as "offer_type",
--   fh."status_key" as "status_text",
--   fh."is_accepted" as "offer_accepted"
-- from "customer_example"."offer_hdr" fh

create table "customer_example"."orders" (
  "order_id" integer not null,
  "property_id" integer not null,
  "offer_hdr_id" integer,
  "creditor_number" integer,
  "to_hdr_id" integer,
  "report_hdr_id" integer,
  "order_type" text collate "C",
  "total_net" numeric(14,2),
  "total_gross" numeric(14,2),
  "cost_center_id" text collate "C",
  "invoice_status" text collate "C",
  "order_number" text collate "C",
  "project_hdr_id" integer,
  "service_contract_id" integer,
  "floor_area_id" text collate "C",
  "cost_account_id" integer,
  "subject" text collate "C",
  "description" text collate "C",
  "status" text collate "C",
  "priority_text" text collate "C",
  "trade" text collate "C",
  "responsible_employee_id" integer,
  "approved_by_employee_id" integer,
  "order_date" date,
  "approval_date" date,
  "sent_date" date,
  "planned_start_date" date,
  "planned_end_date" date,
  "execution_start_date" date,
  "execution_end_date" date,
  "acceptance_date" date,
  "warranty_end_date" date,
  "closed_date" date,
  "vat_rate" numeric(5,2),
  "total_vat" numeric(14,2),
  "estimated_net" numeric(14,2),
  "supplement_net" numeric(14,2),
  "retention_percent" numeric(5,2),
  "retention_amount" numeric(14,2),
  "invoice_count" integer,
  "invoiced_net" numeric(14,2),
  "invoiced_vat" numeric(14,2),
  "invoiced_gross" numeric(14,2),
  "paid_amount" numeric(14,2),
  "open_amount" numeric(14,2),
  "remaining_net" numeric(14,2),
  "last_invoice_number" text collate "C",
  "last_invoice_date" date,
  "last_payment_date" date,
  "allocable_percent" numeric(5,2),
  "is_insurance_claim" boolean,
  "name" text collate "C",
  "entrance" text collate "C",
  "address" text collate "C",
  "contact_name" text collate "C",
  "contact_phone" text collate "C",
  "contact_email" text collate "C",
  "hierarchy_1" text collate "C",
  "hierarchy_2" text collate "C",
  "hierarchy_3" text collate "C",
  "hierarchy_4" text collate "C",
  "hierarchy_5" text collate "C",
  "currency" text collate "C",
  "created_at" timestamptz,
  "changed_at" timestamptz,
  "city" text collate "C",
  "postal_code" text collate "C",
  primary key ("order_id")
);

create index if not exists "ix_orders_property_id" on "customer_example"."orders" ("property_id", "order_id");

create index if not exists "ix_orders_offer_hdr_id" on "customer_example"."orders" ("offer_hdr_id", "order_id");

create index if not exists "ix_orders_creditor_number" on "customer_example"."orders" ("creditor_number", "order_id");

create index if not exists "ix_orders_to_hdr_id" on "customer_example"."orders" ("to_hdr_id", "order_id");

create index if not exists "ix_orders_report_hdr_id" on "customer_example"."orders" ("report_hdr_id", "order_id");

create index if not exists "ix_orders_order_type" on "customer_example"."orders" ("order_type", "order_id");

create index if not exists "ix_orders_cost_center_id" on "customer_example"."orders" ("cost_center_id", "order_id");

create index if not exists "ix_orders_invoice_status" on "customer_example"."orders" ("invoice_status", "order_id");

create index if not exists "ix_orders_order_number" on "customer_example"."orders" ("order_number", "order_id");

create index if not exists "ix_orders_project_hdr_id" on "customer_example"."orders" ("project_hdr_id", "order_id");

create index if not exists "ix_orders_service_contract_id" on "customer_example"."orders" ("service_contract_id", "order_id");

create index if not exists "ix_orders_floor_area_id" on "customer_example"."orders" ("floor_area_id", "order_id");

create index if not exists "ix_orders_cost_account_id" on "customer_example"."orders" ("cost_account_id", "order_id");

create index if not exists "ix_orders_status" on "customer_example"."orders" ("status", "order_id");

create index if not exists "ix_orders_priority_text" on "customer_example"."orders" ("priority_text", "order_id");

create index if not exists "ix_orders_trade" on "customer_example"."orders" ("trade", "order_id");

create index if not exists "ix_orders_responsible_employee_id" on "customer_example"."orders" ("responsible_employee_id", "order_id");

create index if not exists "ix_orders_is_insurance_claim" on "customer_example"."orders" ("is_insurance_claim", "order_id");

create index if not exists "ix_orders_hierarchy_1" on "customer_example"."orders" ("hierarchy_1", "order_id");

create index if not exists "ix_orders_hierarchy_2" on "customer_example"."orders" ("hierarchy_2", "order_id");

create index if not exists "ix_orders_city" on "customer_example"."orders" ("city", "order_id");

create index if not exists "ix_orders_postal_code" on "customer_example"."orders" ("postal_code", "order_id");

create index if not exists "ix_orders_approved_by_employee_id" on "customer_example"."orders" ("approved_by_employee_id", "order_id");

-- published as
-- select
--   oh."order_hdr_id" as "order_id",
--   oh."property_id" as "property_id",
--   oh."offer_hdr_id" as "offer_hdr_id",
--   oh."creditor_no" as "creditor_number",
--   oh."to_hdr_id" as "to_hdr_id",
--   oh."report_hdr_id" as "report_hdr_id",
--   oh."order_type_key" as "order_type",
--   nullif(oh."total_net", 'NaN') as "total_net",
--   nullif(oh."total_gross", 'NaN') as "total_gross",
--   oh."cost_center_id" as "cost_center_id",
--   oh."invoice_status_key" as "invoice_status",
--   oh."order_no" as "order_number",
--   oh."project_hdr_id" as "project_hdr_id",
--   oh."service_contract_hdr_id" as "service_contract_id",
--   oh."floor_area_id" as "floor_area_id",
--   oh."cost_account_id" as "cost_account_id",
--   oh."subject" as "subject",
--   oh."description" as "description",
--   oh."status_key" as "status",
--   oh."priority_key" as "priority_text",
--   oh."trade_key" as "trade",
--   oh."responsible_employee_id" as "responsible_employee_id",
--   oh."approved_by_employee_id" as "approved_by_employee_id",
--   case when isfinite(oh."order_date") then oh."order_date" end as "order_date",
--   case when isfinite(oh."approval_date") then oh."approval_date" end as "approval_date",
--   case when isfinite(oh."sent_date") then oh."sent_date" end as "sent_date",
--   case when isfinite(oh."planned_start_date") then oh."planned_start_date" end as "planned_start_date",
--   case when isfinite(oh."planned_end_date") then oh."planned_end_date" end as "planned_end_date",
--   case when isfinite(oh."execution_start_date") then oh."execution_start_date" end as "execution_start_date",
--   case when isfinite(oh."execution_end_date") then oh."execution_end_date" end as "execution_end_date",
--   case when isfinite(oh."acceptance_date") then oh."acceptance_date" end as "acceptance_date",
--   case when isfinite(oh."warranty_end_date") then oh."warranty_end_date" end as "warranty_end_date",
--   case when isfinite(oh."closed_date") then oh."closed_date" end as "closed_date",
--   nullif(oh."vat_rate", 'NaN') as "vat_rate",
--   nullif(oh."total_vat", 'NaN') as "total_vat",
--   nullif(oh."estimated_net", 'NaN') as "estimated_net",
--   nullif(oh."supplement_net", 'NaN') as "supplement_net",
--   nullif(oh."retention_percent", 'NaN') as "retention_percent",
--   nullif(oh."retention_amount", 'NaN') as "retention_amount",
--   oh."invoice_count" as "invoice_count",
--   nullif(oh."invoiced_net", 'NaN') as "invoiced_net",
--   nullif(oh."invoiced_vat", 'NaN') as "invoiced_vat",
--   nullif(oh."invoiced_gross", 'NaN') as "invoiced_gross",
--   nullif(oh."paid_amount", 'NaN') as "paid_amount",
--   nullif((oh.invoiced_gross - oh.retention_amount - oh.paid_amount)::numeric(14,2), 'NaN') as "open_amount",
--   nullif(oh."remaining_net", 'NaN') as "remaining_net",
--   oh."last_invoice_number" as "last_invoice_number",
--   case when isfinite(oh."last_invoice_date") then oh."last_invoice_date" end as "last_invoice_date",
--   case when isfinite(oh."last_payment_date") then oh."last_payment_date" end as "last_payment_date",
--   nullif(oh."allocable_percent", 'NaN') as "allocable_percent",
--   oh."is_insurance_claim" as "is_insurance_claim",
--   COALESCE(pe.company_name, NULLIF(substr(COALESCE(' ' || pe.title, '') || COALESCE(' ' || pe.first_name, '') || COALESCE(' ' || pe.last_name, ''), 2), '')) as "name",
--   COALESCE(NULLIF(substr(COALESCE(' ' || bd.street, '') || COALESCE(' ' || bd.house_no, ''), 2), ''), NULLIF(substr(COALESCE(' ' || ph.street, '') || COALESCE(' ' || ph.house_no, ''), 2), '')) as "entrance",
--   COALESCE(NULLIF(substr(COALESCE(', ' || bd.postal_code, '') || COALESCE(', ' || bd.city, ''), 3), ''), NULLIF(substr(COALESCE(', ' || ph.postal_code, '') || COALESCE(', ' || ph.city, ''), 3), '')) as "address",
--   oh."contact_name" as "contact_name",
--   oh."contact_phone" as "contact_phone",
--   oh."contact_email" as "contact_email",
--   oh."hierarchy_1" as "hierarchy_1",
--   oh."hierarchy_2" as "hierarchy_2",
--   oh."hierarchy_3" as "hierarchy_3",
--   oh."hierarchy_4" as "hierarchy_4",
--   oh."hierarchy_5" as "hierarchy_5",
--   oh."currency" as "currency",
--   case when isfinite(oh."created_at") then oh."created_at" end as "created_at",
--   case when isfinite(oh."changed_at") then oh."changed_at" end as "changed_at",
--   CASE WHEN NULLIF(substr(COALESCE(', ' || bd.postal_code, '') || COALESCE(', ' || bd.city, ''), 3), '') IS NULL THEN ph.city ELSE bd.city END as "city",
--   CASE WHEN NULLIF(substr(COALESCE(', ' || bd.postal_code, '') || COALESCE(', ' || bd.city, ''), 3), '') IS NULL THEN ph.postal_code ELSE bd.postal_code END as "postal_code"
-- from "customer_example"."order_hdr" oh
-- left join "customer_example"."creditor_hdr" ch on ch."creditor_no" = oh.creditor_no
-- left join "customer_example"."person" pe on pe."person_id" = ch.person_id
-- left join "customer_example"."property_hdr" ph on ph."property_id" = oh.property_id
-- left join "customer_example"."floor_area" fa on fa."floor_area_id" = oh.floor_area_id
-- left join "customer_example"."building" bd on bd."building_id" = fa.building_id

create table "customer_example"."projects" (
  "project_hdr_id" integer not null,
  "property_id" integer not null,
  "creditor_id" integer,
  "offer_hdr_id" integer,
  "to_hdr_id" integer,
  "project_id" text collate "C",
  "project_type" text collate "C",
  "status" text collate "C",
  "project_budget" numeric(14,2),
  "percentage_completed" numeric(5,2),
  "project_begin_date" date,
  "project_end_date" date,
  "hierarchy_1" text collate "C",
  "hierarchy_2" text collate "C",
  "hierarchy_3" text collate "C",
  "hierarchy_4" text collate "C",
  "hierarchy_5" text collate "C",
  "hierarchy_6" text collate "C",
  "hierarchy_7" text collate "C",
  "hierarchy_8" text collate "C",
  "hierarchy_9" text collate "C",
  "hierarchy_10" text collate "C",
  "hierarchy_11" text collate "C",
  "hierarchy_12" text collate "C",
  "hierarchy_13" text collate "C",
  "hierarchy_14" text collate "C",
  "hierarchy_15" text collate "C",
  "hierarchy_16" text collate "C",
  "hierarchy_17" text collate "C",
  "hierarchy_18" text collate "C",
  "hierarchy_19" text collate "C",
  "hierarchy_20" text collate "C",
  "parent_project_hdr_id" integer,
  "project_name" text collate "C",
  "description" text collate "C",
  "floor_area_id" text collate "C",
  "cost_center_id" text collate "C",
  "cost_account_id" integer,
  "cost_group" text collate "C",
  "project_manager_id" integer,
  "approved_by_employee_id" integer,
  "approval_date" date,
  "actual_begin_date" date,
  "actual_end_date" date,
  "warranty_end_date" date,
  "budget_net" numeric(14,2),
  "budget_vat" numeric(14,2),
  "contingency_amount" numeric(14,2),
  "funding_program" text collate "C",
  "funding_amount" numeric(14,2),
  "estimated_cost_net" numeric(14,2),
  "order_count" integer,
  "ordered_net" numeric(14,2),
  "ordered_gross" numeric(14,2),
  "invoiced_net" numeric(14,2),
  "invoiced_gross" numeric(14,2),
  "paid_amount" numeric(14,2),
  "remaining_net" numeric(14,2),
  "available_budget" numeric(14,2),
  "capitalizable_percent" numeric(5,2),
  "name" text collate "C",
  "entrance" text collate "C",
  "address" text collate "C",
  "currency" text collate "C",
  "changed_at" timestamptz,
  "city" text collate "C",
  "postal_code" text collate "C",
  primary key ("project_hdr_id")
);

create index if not exists "ix_projects_property_id" on "customer_example"."projects" ("property_id", "project_hdr_id");

create index if not exists "ix_projects_creditor_id" on "customer_example"."projects" ("creditor_id", "project_hdr_id");

create index if not exists "ix_projects_offer_hdr_id" on "customer_example"."projects" ("offer_hdr_id", "project_hdr_id");

create index if not exists "ix_projects_to_hdr_id" on "customer_example"."projects" ("to_hdr_id", "project_hdr_id");

create index if not exists "ix_projects_project_id" on "customer_example"."projects" ("project_id", "project_hdr_id");

create index if not exists "ix_projects_project_type" on "customer_example"."projects" ("project_type", "project_hdr_id");

create index if not exists "ix_projects_status" on "customer_example"."projects" ("status", "project_hdr_id");

create index if not exists "ix_projects_hierarchy_1" on "customer_example"."projects" ("hierarchy_1", "project_hdr_id");

create index if not exists "ix_projects_hierarchy_2" on "customer_example"."projects" ("hierarchy_2", "project_hdr_id");

create index if not exists "ix_projects_parent_project_hdr_id" on "customer_example"."projects" ("parent_project_hdr_id", "project_hdr_id");

create index if not exists "ix_projects_floor_area_id" on "customer_example"."projects" ("floor_area_id", "project_hdr_id");

create index if not exists "ix_projects_cost_center_id" on "customer_example"."projects" ("cost_center_id", "project_hdr_id");

create index if not exists "ix_projects_cost_account_id" on "customer_example"."projects" ("cost_account_id", "project_hdr_id");

create index if not exists "ix_projects_cost_group" on "customer_example"."projects" ("cost_group", "project_hdr_id");

create index if not exists "ix_projects_project_manager_id" on "customer_example"."projects" ("project_manager_id", "project_hdr_id");

create index if not exists "ix_projects_city" on "customer_example"."projects" ("city", "project_hdr_id");

create index if not exists "ix_projects_postal_code" on "customer_example"."projects" ("postal_code", "project_hdr_id");

create index if not exists "ix_projects_approved_by_employee_id" on "customer_example"."projects" ("approved_by_employee_id", "project_hdr_id");

-- published as
-- select
--   pj."project_hdr_id" as "project_hdr_id",
--   pj."property_id" as "property_id",
--   pj."creditor_id" as "creditor_id",
--   pj."offer_hdr_id" as "offer_hdr_id",
--   pj."to_hdr_id" as "to_hdr_id",
--   pj."project_no" as "project_id",
--   pj."project_type_key" as "project_type",
--   pj."status_key" as "status",
--   nullif(pj."budget_gross", 'NaN') as "project_budget",
--   nullif(pj."percentage_completed", 'NaN') as "percentage_completed",
--   case when isfinite(pj."project_begin_date") then pj."project_begin_date" end as "project_begin_date",
--   case when isfinite(pj."project_end_date") then pj."project_end_date" end as "project_end_date",
--   pj."hierarchy_1" as "hierarchy_1",
--   pj."hierarchy_2" as "hierarchy_2",
--   pj."hierarchy_3" as "hierarchy_3",
--   pj."hierarchy_4" as "hierarchy_4",
--   pj."hierarchy_5" as "hierarchy_5",
--   pj."hierarchy_6" as "hierarchy_6",
--   pj."hierarchy_7" as "hierarchy_7",
--   pj."hierarchy_8" as "hierarchy_8",
--   pj."hierarchy_9" as "hierarchy_9",
--   pj."hierarchy_10" as "hierarchy_10",
--   pj."hierarchy_11" as "hierarchy_11",
--   pj."hierarchy_12" as "hierarchy_12",
--   pj."hierarchy_13" as "hierarchy_13",
--   pj."hierarchy_14" as "hierarchy_14",
--   pj."hierarchy_15" as "hierarchy_15",
--   pj."hierarchy_16" as "hierarchy_16",
--   pj."hierarchy_17" as "hierarchy_17",
--   pj."hierarchy_18" as "hierarchy_18",
--   pj."hierarchy_19" as "hierarchy_19",
--   pj."hierarchy_20" as "hierarchy_20",
--   pj."parent_project_hdr_id" as "parent_project_hdr_id",
--   pj."project_name" as "project_name",
--   pj."description" as "description",
--   pj."floor_area_id" as "floor_area_id",
--   pj."cost_center_id" as "cost_center_id",
--   pj."cost_account_id" as "cost_account_id",
--   pj."cost_group_key" as "cost_group",
--   pj."project_manager_id" as "project_manager_id",
--   pj."approved_by_employee_id" as "approved_by_employee_id",
--   case when isfinite(pj."approval_date") then pj."approval_date" end as "approval_date",
--   case when isfinite(pj."actual_begin_date") then pj."actual_begin_date" end as "actual_begin_date",
--   case when isfinite(pj."actual_end_date") then pj."actual_end_date" end as "actual_end_date",
--   case when isfinite(pj."warranty_end_date") then pj."warranty_end_date" end as "warranty_end_date",
--   nullif(pj."budget_net", 'NaN') as "budget_net",
--   nullif(pj."budget_vat", 'NaN') as "budget_vat",
--   nullif(pj."contingency_amount", 'NaN') as "contingency_amount",
--   pj."funding_program" as "funding_program",
--   nullif(pj."funding_amount", 'NaN') as "funding_amount",
--   nullif(pj."estimated_cost_net", 'NaN') as "estimated_cost_net",
--   pj."order_count" as "order_count",
--   nullif(pj."ordered_net", 'NaN') as "ordered_net",
--   nullif(pj."ordered_gross", 'NaN') as "ordered_gross",
--   nullif(pj."invoiced_net", 'NaN') as "invoiced_net",
--   nullif(pj."invoiced_gross", 'NaN') as "invoiced_gross",
--   nullif(pj."paid_amount", 'NaN') as "paid_amount",
--   nullif(pj."remaining_net", 'NaN') as "remaining_net",
--   nullif((pj.budget_gross - pj.ordered_gross)::numeric(14,2), 'NaN') as "available_budget",
--   nullif(pj."capitalizable_percent", 'NaN') as "capitalizable_percent",
--   COALESCE(pe.company_name, NULLIF(substr(COALESCE(' ' || pe.title, '') || COALESCE(' ' || pe.first_name, '') || COALESCE(' ' || pe.last_name, ''), 2), '')) as "name",
--   NULLIF(substr(COALESCE(' ' || ph.street, '') || COALESCE(' ' || ph.house_no, ''), 2), '') as "entrance",
--   NULLIF(substr(COALESCE(', ' || ph.postal_code, '') || COALESCE(', ' || ph.city, ''), 3), '') as "address",
--   pj."currency" as "currency",
--   case when isfinite(pj."changed_at") then pj."changed_at" end as "changed_at",
--   ph.city as "city",
--   ph.postal_code as "postal_code"
-- from "customer_example"."project_hdr" pj
-- left join "customer_example"."creditor_hdr" ch on ch."creditor_id" = pj.creditor_id
-- left join "customer_example"."person" pe on pe."person_id" = ch.person_id
-- left join "customer_example"."property_hdr" ph on ph."property_id" = pj.property_id

create table "customer_example"."properties" (
  "property_id" integer not null,
  "property_name" text collate "C" not null,
  "short_name" text collate "C",
  "company_number" text collate "C",
  "property_type" text collate "C",
  "management_type" text collate "C",
  "status" text collate "C",
  "entrance" text collate "C",
  "address" text collate "C",
  "country_code" text collate "C",
  "federal_state" text collate "C",
  "latitude" numeric(9,6),
  "longitude" numeric(9,6),
  "owner_id" integer,
  "property_manager_id" integer,
  "technical_manager_id" integer,
  "accountant_id" integer,
  "construction_year" integer,
  "refurbishment_year" integer,
  "acquisition_date" date,
  "disposal_date" date,
  "management_start_date" date,
  "management_end_date" date,
  "plot_area_sqm" numeric(12,2),
  "lettable_area_sqm" numeric(12,2),
  "residential_area_sqm" numeric(12,2),
  "commercial_area_sqm" numeric(12,2),
  "unit_count" integer,
  "parking_count" integer,
  "heating_type" text collate "C",
  "energy_certificate_class" text collate "C",
  "energy_certificate_valid_until" date,
  "market_value" numeric(14,2),
  "market_value_date" date,
  "changed_at" timestamptz not null,
  "city" text collate "C",
  "postal_code" text collate "C",
  primary key ("property_id")
);

create index if not exists "ix_properties_company_number" on "customer_example"."properties" ("company_number", "property_id");

create index if not exists "ix_properties_property_type" on "customer_example"."properties" ("property_type", "property_id");

create index if not exists "ix_properties_management_type" on "customer_example"."properties" ("management_type", "property_id");

create index if not exists "ix_properties_status" on "customer_example"."properties" ("status", "property_id");

create index if not exists "ix_properties_federal_state" on "customer_example"."properties" ("federal_state", "property_id");

create index if not exists "ix_properties_owner_id" on "customer_example"."properties" ("owner_id", "property_id");

create index if not exists "ix_properties_property_manager_id" on "customer_example"."properties" ("property_manager_id", "property_id");

create index if not exists "ix_properties_technical_manager_id" on "customer_example"."properties" ("technical_manager_id", "property_id");

create index if not exists "ix_properties_accountant_id" on "customer_example"."properties" ("accountant_id", "property_id");

create index if not exists "ix_properties_city" on "customer_example"."properties" ("city", "property_id");

create index if not exists "ix_properties_postal_code" on "customer_example"."properties" ("postal_code", "property_id");

-- published as
-- select
--   ph."property_id" as "property_id",
--   ph."property_name" as "property_name",
--   ph."short_name" as "short_name",
--   ph."company_number" as "company_number",
--   ph."property_type_key" as "property_type",
--   ph."management_type_key" as "management_type",
--   ph."status_key" as "status",
--   NULLIF(substr(COALESCE(' ' || ph.street, '') || COALESCE(' ' || ph.house_no, ''), 2), '') as "entrance",
--   NULLIF(substr(COALESCE(', ' || ph.postal_code, '') || COALESCE(', ' || ph.city, ''), 3), '') as "address",
--   ph."country_code" as "country_code",
--   ph."federal_state" as "federal_state",
--   nullif(ph."latitude", 'NaN') as "latitude",
--   nullif(ph."longitude", 'NaN') as "longitude",
--   ph."owner_hdr_id" as "owner_id",
--   ph."property_manager_id" as "property_manager_id",
--   ph."technical_manager_id" as "technical_manager_id",
--   ph."accountant_id" as "accountant_id",
--   ph."construction_year" as "construction_year",
--   ph."refurbishment_year" as "refurbishment_year",
--   case when isfinite(ph."acquisition_date") then ph."acquisition_date" end as "acquisition_date",
--   case when isfinite(ph."disposal_date") then ph."disposal_date" end as "disposal_date",
--   case when isfinite(ph."management_start_date") then ph."management_start_date" end as "management_start_date",
--   case when isfinite(ph."management_end_date") then ph."management_end_date" end as "management_end_date",
--   nullif(ph."plot_area_sqm", 'NaN') as "plot_area_sqm",
--   nullif(ph."lettable_area_sqm", 'NaN') as "lettable_area_sqm",
--   nullif(ph."residential_area_sqm", 'NaN') as "residential_area_sqm",
--   nullif(ph."commercial_area_sqm", 'NaN') as "commercial_area_sqm",
--   ph."unit_count" as "unit_count",
--   ph."parking_count" as "parking_count",
--   ph."heating_type_key" as "heating_type",
--   ph."energy_certificate_class_key" as "energy_certificate_class",
--   case when isfinite(ph."energy_certificate_valid_until") then ph."energy_certificate_valid_until" end as "energy_certificate_valid_until",
--   nullif(ph."market_value", 'NaN') as "market_value",
--   case when isfinite(ph."market_value_date") then ph."market_value_date" end as "market_value_date",
--   case when isfinite(ph."changed_at") then ph."changed_at" end as "changed_at",
--   ph.city as "city",
--   ph.postal_code as "postal_code"
-- from "customer_example"."property_hdr" ph

create table "customer_example"."property_creditor_services" (
  "property_creditor_service_id" integer not null,
  "property_id" integer not null,
  "creditor_id" integer not null,
  "creditor_number" integer,
  "name" text collate "C",
  "service_type" text collate "C" not null,
  "trade" text collate "C",
  "description" text collate "C",
  "rank" integer not null,
  "is_emergency_service" boolean not null,
  "service_contract_id" integer,
  "hourly_rate_net" numeric(10,2),
  "response_time_hours" integer,
  "contact_name" text collate "C",
  "contact_phone" text collate "C",
  "contact_email" text collate "C",
  "valid_from" date not null,
  "valid_to" date,
  "is_active" boolean not null,
  "changed_at" timestamptz not null,
  primary key ("property_creditor_service_id")
);

create unique index if not exists "ix_property_creditor_services_sort" on "customer_example"."property_creditor_services" ("property_id", "service_type", "rank", "property_creditor_service_id");

create index if not exists "ix_property_creditor_services_property_id" on "customer_example"."property_creditor_services" ("property_id", "service_type", "rank", "property_creditor_service_id");

create index if not exists "ix_property_creditor_services_creditor_id" on "customer_example"."property_creditor_services" ("creditor_id", "property_id", "service_type", "rank", "property_creditor_service_id");

create index if not exists "ix_property_creditor_services_service_type" on "customer_example"."property_creditor_services" ("service_type", "property_id", "rank", "property_creditor_service_id");

create index if not exists "ix_property_creditor_services_trade" on "customer_example"."property_creditor_services" ("trade", "property_id", "service_type", "rank", "property_creditor_service_id");

create index if not exists "ix_property_creditor_services_is_emergency_service" on "customer_example"."property_creditor_services" ("is_emergency_service", "property_id", "service_type", "rank", "property_creditor_service_id");

create index if not exists "ix_property_creditor_services_service_contract_id" on "customer_example"."property_creditor_services" ("service_contract_id", "property_id", "service_type", "rank", "property_creditor_service_id");

create index if not exists "ix_property_creditor_services_is_active" on "customer_example"."property_creditor_services" ("is_active", "property_id", "service_type", "rank", "property_creditor_service_id");

-- published as
-- select
--   ps."prop_cred_service_id" as "property_creditor_service_id",
--   ps."property_id" as "property_id",
--   ps."creditor_id" as "creditor_id",
--   ch.creditor_no as "creditor_number",
--   COALESCE(pe.company_name, NULLIF(substr(COALESCE(' ' || pe.title, '') || COALESCE(' ' || pe.first_name, '') || COALESCE(' ' || pe.last_name, ''), 2), '')) as "name",
--   ps."service_type_key" as "service_type",
--   ps."trade_key" as "trade",
--   ps."description" as "description",
--   ps."rank_no" as "rank",
--   ps."is_emergency_service" as "is_emergency_service",
--   ps."service_contract_hdr_id" as "service_contract_id",
--   nullif(ps."hourly_rate_net", 'NaN') as "hourly_rate_net",
--   ps."response_time_hours" as "response_time_hours",
--   ps."contact_name" as "contact_name",
--   ps."contact_phone" as "contact_phone",
--   ps."contact_email" as "contact_email",
--   case when isfinite(ps."valid_from") then ps."valid_from" end as "valid_from",
--   case when isfinite(ps."valid_to") then ps."valid_to" end as "valid_to",
--   ps."is_active" as "is_active",
--   case when isfinite(ps."changed_at") then ps."changed_at" end as "changed_at"
-- from "customer_example"."prop_cred_service" ps
-- left join "customer_example"."creditor_hdr" ch on ch."creditor_id" = ps.creditor_id
-- left join "customer_example"."person" pe on pe."person_id" = ch.person_id

create table "customer_example"."property_structure" (
  "floor_area_id" text collate "C" not null,
  "property_id" integer not null,
  "building_id" integer,
  "building_name" text collate "C",
  "entrance" text collate "C",
  "address" text collate "C",
  "unit_number" text collate "C" not null,
  "description" text collate "C",
  "floor" text collate "C",
  "floor_number" integer,
  "location" text collate "C",
  "usage_type" text collate "C" not null,
  "occupancy_status" text collate "C" not null,
  "vacant_since" date,
  "available_from" date,
  "area_sqm" numeric(10,2) not null,
  "heated_area_sqm" numeric(10,2),
  "balcony_area_sqm" numeric(10,2),
  "room_count" numeric(4,1),
  "co_ownership_share" numeric(12,4),
  "owner_id" integer,
  "current_account_id" integer,
  "target_rent_net" numeric(12,2),
  "target_rent_per_sqm" numeric(12,4),
  "market_rent_per_sqm" numeric(10,2),
  "vat_option" boolean,
  "is_barrier_free" boolean,
  "is_rent_controlled" boolean,
  "cost_center_id" text collate "C",
  "valid_from" date,
  "valid_to" date,
  "is_active" boolean not null,
  "changed_at" timestamptz not null,
  "city" text collate "C",
  "postal_code" text collate "C",
  primary key ("floor_area_id")
);

create index if not exists "ix_property_structure_property_id" on "customer_example"."property_structure" ("property_id", "floor_area_id");

create index if not exists "ix_property_structure_building_id" on "customer_example"."property_structure" ("building_id", "floor_area_id");

create index if not exists "ix_property_structure_unit_number" on "customer_example"."property_structure" ("unit_number", "floor_area_id");

create index if not exists "ix_property_structure_usage_type" on "customer_example"."property_structure" ("usage_type", "floor_area_id");

create index if not exists "ix_property_structure_occupancy_status" on "customer_example"."property_structure" ("occupancy_status", "floor_area_id");

create index if not exists "ix_property_structure_owner_id" on "customer_example"."property_structure" ("owner_id", "floor_area_id");

create index if not exists "ix_property_structure_current_account_id" on "customer_example"."property_structure" ("current_account_id", "floor_area_id");

create index if not exists "ix_property_structure_cost_center_id" on "customer_example"."property_structure" ("cost_center_id", "floor_area_id");

create index if not exists "ix_property_structure_is_active" on "customer_example"."property_structure" ("is_active", "floor_area_id");

create index if not exists "ix_property_structure_city" on "customer_example"."property_structure" ("city", "floor_area_id");

create index if not exists "ix_property_structure_postal_code" on "customer_example"."property_structure" ("postal_code", "floor_area_id");

-- published as
-- select
--   fa."floor_area_id" as "floor_area_id",
--   fa."property_id" as "property_id",
--   fa."building_id" as "building_id",
--   bd.building_name as "building_name",
--   NULLIF(substr(COALESCE(' ' || bd.street, '') || COALESCE(' ' || bd.house_no, ''), 2), '') as "entrance",
--   NULLIF(substr(COALESCE(', ' || bd.postal_code, '') || COALESCE(', ' || bd.city, ''), 3), '') as "address",
--   fa."unit_number" as "unit_number",
--   fa."description" as "description",
--   fa."floor" as "floor",
--   fa."floor_number" as "floor_number",
--   fa."location" as "location",
--   fa."usage_type_key" as "usage_type",
--   fa."occupancy_status_key" as "occupancy_status",
--   case when isfinite(fa."vacant_since") then fa."vacant_since" end as "vacant_since",
--   case when isfinite(fa."available_from") then fa."available_from" end as "available_from",
--   nullif(fa."area_sqm", 'NaN') as "area_sqm",
--   nullif(fa."heated_area_sqm", 'NaN') as "heated_area_sqm",
--   nullif(fa."balcony_area_sqm", 'NaN') as "balcony_area_sqm",
--   nullif(fa."room_count", 'NaN') as "room_count",
--   nullif(fa."co_ownership_share", 'NaN') as "co_ownership_share",
--   fa."owner_hdr_id" as "owner_id",
--   fa."current_account_id" as "current_account_id",
--   nullif(fa."target_rent_net", 'NaN') as "target_rent_net",
--   nullif(round(fa.target_rent_net / NULLIF(fa.area_sqm, 0), 4)::numeric(12,4), 'NaN') as "target_rent_per_sqm",
--   nullif(fa."market_rent_per_sqm", 'NaN') as "market_rent_per_sqm",
--   fa."vat_option" as "vat_option",
--   fa."is_barrier_free" as "is_barrier_free",
--   fa."is_rent_controlled" as "is_rent_controlled",
--   fa."cost_center_id" as "cost_center_id",
--   case when isfinite(fa."valid_from") then fa."valid_from" end as "valid_from",
--   case when isfinite(fa."valid_to") then fa."valid_to" end as "valid_to",
--   fa."is_active" as "is_active",
--   case when isfinite(fa."changed_at") then fa."changed_at" end as "changed_at",
--   bd.city as "city",
--   bd.postal_code as "postal_code"
-- from "customer_example"."floor_area" fa
-- left join "customer_example"."building" bd on bd."building_id" = fa.building_id

create table "customer_example"."technical_objects" (
  "to_id" integer not null,
  "to_number" text collate "C",
  "to_name" text collate "C" not null,
  "to_type" text collate "C",
  "property_id" integer not null,
  "building_id" integer,
  "floor_area_id" text collate "C",
  "parent_to_id" integer,
  "entrance" text collate "C",
  "address" text collate "C",
  "location_description" text collate "C",
  "cost_group" text collate "C",
  "manufacturer" text collate "C",
  "model" text collate "C",
  "serial_number" text collate "C",
  "year_built" integer,
  "installation_date" date,
  "warranty_end_date" date,
  "decommissioning_date" date,
  "status" text collate "C",
  "condition_rating" integer,
  "maintenance_required" boolean not null,
  "maintenance_interval_months" integer,
  "last_maintenance_date" date,
  "next_maintenance_date" date,
  "inspection_required" boolean not null,
  "inspection_interval_months" integer,
  "last_inspection_date" date,
  "next_inspection_date" date,
  "service_contract_id" integer,
  "creditor_id" integer,
  "responsible_employee_id" integer,
  "replacement_cost" numeric(14,2),
  "remaining_life_years" numeric(5,1),
  "changed_at" timestamptz not null,
  "city" text collate "C",
  "postal_code" text collate "C",
  primary key ("to_id")
);

create index if not exists "ix_technical_objects_to_number" on "customer_example"."technical_objects" ("to_number", "to_id");

create index if not exists "ix_technical_objects_to_type" on "customer_example"."technical_objects" ("to_type", "to_id");

create index if not exists "ix_technical_objects_property_id" on "customer_example"."technical_objects" ("property_id", "to_id");

create index if not exists "ix_technical_objects_building_id" on "customer_example"."technical_objects" ("building_id", "to_id");

create index if not exists "ix_technical_objects_floor_area_id" on "customer_example"."technical_objects" ("floor_area_id", "to_id");

create index if not exists "ix_technical_objects_parent_to_id" on "customer_example"."technical_objects" ("parent_to_id", "to_id");

create index if not exists "ix_technical_objects_cost_group" on "customer_example"."technical_objects" ("cost_group", "to_id");

create index if not exists "ix_technical_objects_status" on "customer_example"."technical_objects" ("status", "to_id");

create index if not exists "ix_technical_objects_maintenance_required" on "customer_example"."technical_objects" ("maintenance_required", "to_id");

create index if not exists "ix_technical_objects_inspection_required" on "customer_example"."technical_objects" ("inspection_required", "to_id");

create index if not exists "ix_technical_objects_service_contract_id" on "customer_example"."technical_objects" ("service_contract_id", "to_id");

create index if not exists "ix_technical_objects_creditor_id" on "customer_example"."technical_objects" ("creditor_id", "to_id");

create index if not exists "ix_technical_objects_responsible_employee_id" on "customer_example"."technical_objects" ("responsible_employee_id", "to_id");

create index if not exists "ix_technical_objects_city" on "customer_example"."technical_objects" ("city", "to_id");

create index if not exists "ix_technical_objects_postal_code" on "customer_example"."technical_objects" ("postal_code", "to_id");

-- published as
-- select
--   th."to_hdr_id" as "to_id",
--   th."to_no" as "to_number",
--   th."to_name" as "to_name",
--   th."to_type_key" as "to_type",
--   th."property_id" as "property_id",
--   th."building_id" as "building_id",
--   th."floor_area_id" as "floor_area_id",
--   th."parent_to_hdr_id" as "parent_to_id",
--   COALESCE(NULLIF(substr(COALESCE(' ' || bd.street, '') || COALESCE(' ' || bd.house_no, ''), 2), ''), NULLIF(substr(COALESCE(' ' || ph.street, '') || COALESCE(' ' || ph.house_no, ''), 2), '')) as "entrance",
--   COALESCE(NULLIF(substr(COALESCE(', ' || bd.postal_code, '') || COALESCE(', ' || bd.city, ''), 3), ''), NULLIF(substr(COALESCE(', ' || ph.postal_code, '') || COALESCE(', ' || ph.city, ''), 3), '')) as "address",
--   th."location_description" as "location_description",
--   th."cost_group_key" as "cost_group",
--   th."manufacturer" as "manufacturer",
--   th."model" as "model",
--   th."serial_number" as "serial_number",
--   th."year_built" as "year_built",
--   case when isfinite(th."installation_date") then th."installation_date" end as "installation_date",
--   case when isfinite(th."warranty_end_date") then th."warranty_end_date" end as "warranty_end_date",
--   case when isfinite(th."decommissioning_date") then th."decommissioning_date" end as "decommissioning_date",
--   th."status_key" as "status",
--   th."condition_rating" as "condition_rating",
--   th."maintenance_required" as "maintenance_required",
--   th."maintenance_interval_months" as "maintenance_interval_months",
--   case when isfinite(th."last_maintenance_date") then th."last_maintenance_date" end as "last_maintenance_date",
--   case when isfinite(th."next_maintenance_date") then th."next_maintenance_date" end as "next_maintenance_date",
--   th."inspection_required" as "inspection_required",
--   th."inspection_interval_months" as "inspection_interval_months",
--   case when isfinite(th."last_inspection_date") then th."last_inspection_date" end as "last_inspection_date",
--   case when isfinite(th."next_inspection_date") then th."next_inspection_date" end as "next_inspection_date",
--   th."service_contract_hdr_id" as "service_contract_id",
--   th."creditor_id" as "creditor_id",
--   th."responsible_employee_id" as "responsible_employee_id",
--   nullif(th."replacement_cost", 'NaN') as "replacement_cost",
--   nullif(th."remaining_life_years", 'NaN') as "remaining_life_years",
--   case when isfinite(th."changed_at") then th."changed_at" end as "changed_at",
--   CASE WHEN NULLIF(substr(COALESCE(', ' || bd.postal_code, '') || COALESCE(', ' || bd.city, ''), 3), '') IS NULL THEN ph.city ELSE bd.city END as "city",
--   CASE WHEN NULLIF(substr(COALESCE(', ' || bd.postal_code, '') || COALESCE(', ' || bd.city, ''), 3), '') IS NULL THEN ph.postal_code ELSE bd.postal_code END as "postal_code"
-- from "customer_example"."to_hdr" th
-- left join "customer_example"."building" bd on bd."building_id" = th.building_id
-- left join "customer_example"."property_hdr" ph on ph."property_id" = th.property_id

create table "customer_example"."creditor" (
  "creditor_id" integer not null,
  "creditor_number" integer not null,
  "person_id" integer not null,
  "name" text collate "C" not null,
  "entrance" text collate "C",
  "address" text collate "C",
  "country_code" text collate "C",
  "email" text collate "C",
  "phone" text collate "C",
  "website" text collate "C",
  "creditor_type" text collate "C",
  "trade" text collate "C",
  "account_id" integer not null,
  "tax_number" text collate "C",
  "vat_id" text collate "C",
  "exemption_certificate_number" text collate "C",
  "exemption_certificate_valid_until" date,
  "insurance_valid_until" date,
  "payment_terms_days" integer,
  "cash_discount_percent" numeric(5,2),
  "cash_discount_days" integer,
  "payment_method" text collate "C",
  "iban" text collate "C",
  "bic" text collate "C",
  "bank_name" text collate "C",
  "contact_name" text collate "C",
  "contact_phone" text collate "C",
  "contact_email" text collate "C",
  "rating" integer,
  "is_blocked" boolean not null,
  "status" text collate "C" not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  "city" text collate "C",
  "postal_code" text collate "C",
  primary key ("creditor_id")
);

create unique index if not exists "ix_creditor_creditor_number" on "customer_example"."creditor" ("creditor_number");

create unique index if not exists "ix_creditor_person_id" on "customer_example"."creditor" ("person_id");

create unique index if not exists "ix_creditor_account_id" on "customer_example"."creditor" ("account_id");

create index if not exists "ix_creditor_creditor_type" on "customer_example"."creditor" ("creditor_type", "creditor_id");

create index if not exists "ix_creditor_trade" on "customer_example"."creditor" ("trade", "creditor_id");

create index if not exists "ix_creditor_is_blocked" on "customer_example"."creditor" ("is_blocked", "creditor_id");

create index if not exists "ix_creditor_status" on "customer_example"."creditor" ("status", "creditor_id");

create index if not exists "ix_creditor_city" on "customer_example"."creditor" ("city", "creditor_id");

create index if not exists "ix_creditor_postal_code" on "customer_example"."creditor" ("postal_code", "creditor_id");

-- published as
-- select
--   ch."creditor_id" as "creditor_id",
--   ch."creditor_no" as "creditor_number",
--   ch."person_id" as "person_id",
--   COALESCE(pe.company_name, NULLIF(substr(COALESCE(' ' || pe.title, '') || COALESCE(' ' || pe.first_name, '') || COALESCE(' ' || pe.last_name, ''), 2), '')) as "name",
--   NULLIF(substr(COALESCE(' ' || pe.street, '') || COALESCE(' ' || pe.house_no, ''), 2), '') as "entrance",
--   NULLIF(substr(COALESCE(', ' || pe.postal_code, '') || COALESCE(', ' || pe.city, ''), 3), '') as "address",
--   pe.country_code as "country_code",
--   pe.email as "email",
--   pe.phone as "phone",
--   ch."website" as "website",
--   ch."creditor_type_key" as "creditor_type",
--   ch."trade_key" as "trade",
--   ch."account_id" as "account_id",
--   ch."tax_number" as "tax_number",
--   ch."vat_id" as "vat_id",
--   ch."exemption_certificate_number" as "exemption_certificate_number",
--   case when isfinite(ch."exemption_certificate_valid_until") then ch."exemption_certificate_valid_until" end as "exemption_certificate_valid_until",
--   case when isfinite(ch."insurance_valid_until") then ch."insurance_valid_until" end as "insurance_valid_until",
--   ch."payment_terms_days" as "payment_terms_days",
--   nullif(ch."cash_discount_percent", 'NaN') as "cash_discount_percent",
--   ch."cash_discount_days" as "cash_discount_days",
--   ch."payment_method_key" as "payment_method",
--   ch."iban" as "iban",
--   ch."bic" as "bic",
--   ch."bank_name" as "bank_name",
--   ch."contact_name" as "contact_name",
--   ch."contact_phone" as "contact_phone",
--   ch."contact_email" as "contact_email",
--   ch."rating" as "rating",
--   ch."is_blocked" as "is_blocked",
--   ch."status_key" as "status",
--   case when isfinite(ch."created_at") then ch."created_at" end as "created_at",
--   case when isfinite(ch."changed_at") then ch."changed_at" end as "changed_at",
--   pe.city as "city",
--   pe.postal_code as "postal_code"
-- from "customer_example"."creditor_hdr" ch
-- left join "customer_example"."person" pe on pe."person_id" = ch.person_id

create table "customer_example"."employees" (
  "employee_id" integer not null,
  "employee_number" text collate "C" not null,
  "person_id" integer not null,
  "name" text collate "C" not null,
  "entrance" text collate "C",
  "address" text collate "C",
  "email" text collate "C",
  "phone" text collate "C",
  "mobile" text collate "C",
  "user_name" text collate "C",
  "job_title" text collate "C",
  "role" text collate "C",
  "department" text collate "C",
  "team" text collate "C",
  "supervisor_id" integer,
  "cost_center_id" text collate "C",
  "approval_limit_net" numeric(12,2),
  "entry_date" date,
  "exit_date" date,
  "is_active" boolean not null,
  "changed_at" timestamptz not null,
  "city" text collate "C",
  "postal_code" text collate "C",
  primary key ("employee_id")
);

create unique index if not exists "ix_employees_employee_number" on "customer_example"."employees" ("employee_number");

create unique index if not exists "ix_employees_person_id" on "customer_example"."employees" ("person_id");

create index if not exists "ix_employees_user_name" on "customer_example"."employees" ("user_name", "employee_id");

create index if not exists "ix_employees_role" on "customer_example"."employees" ("role", "employee_id");

create index if not exists "ix_employees_department" on "customer_example"."employees" ("department", "employee_id");

create index if not exists "ix_employees_team" on "customer_example"."employees" ("team", "employee_id");

create index if not exists "ix_employees_supervisor_id" on "customer_example"."employees" ("supervisor_id", "employee_id");

create index if not exists "ix_employees_cost_center_id" on "customer_example"."employees" ("cost_center_id", "employee_id");

create index if not exists "ix_employees_is_active" on "customer_example"."employees" ("is_active", "employee_id");

create index if not exists "ix_employees_city" on "customer_example"."employees" ("city", "employee_id");

create index if not exists "ix_employees_postal_code" on "customer_example"."employees" ("postal_code", "employee_id");

-- published as
-- select
--   sh."staff_hdr_id" as "employee_id",
--   sh."staff_no" as "employee_number",
--   sh."person_id" as "person_id",
--   COALESCE(pe.company_name, NULLIF(substr(COALESCE(' ' || pe.title, '') || COALESCE(' ' || pe.first_name, '') || COALESCE(' ' || pe.last_name, ''), 2), '')) as "name",
--   NULLIF(substr(COALESCE(' ' || pe.street, '') || COALESCE(' ' || pe.house_no, ''), 2), '') as "entrance",
--   NULLIF(substr(COALESCE(', ' || pe.postal_code, '') || COALESCE(', ' || pe.city, ''), 3), '') as "address",
--   pe.email as "email",
--   pe.phone as "phone",
--   pe.mobile as "mobile",
--   sh."user_name" as "user_name",
--   sh."job_title" as "job_title",
--   sh."role_key" as "role",
--   sh."department" as "department",
--   sh."team" as "team",
--   sh."supervisor_staff_hdr_id" as "supervisor_id",
--   sh."cost_center_id" as "cost_center_id",
--   nullif(sh."approval_limit_net", 'NaN') as "approval_limit_net",
--   case when isfinite(sh."entry_date") then sh."entry_date" end as "entry_date",
--   case when isfinite(sh."exit_date") then sh."exit_date" end as "exit_date",
--   sh."is_active" as "is_active",
--   case when isfinite(sh."changed_at") then sh."changed_at" end as "changed_at",
--   pe.city as "city",
--   pe.postal_code as "postal_code"
-- from "customer_example"."staff_hdr" sh
-- left join "customer_example"."person" pe on pe."person_id" = sh.person_id

create table "customer_example"."owner" (
  "owner_id" integer not null,
  "owner_number" text collate "C" not null,
  "person_id" integer not null,
  "name" text collate "C" not null,
  "entrance" text collate "C",
  "address" text collate "C",
  "country_code" text collate "C",
  "email" text collate "C",
  "phone" text collate "C",
  "owner_type" text collate "C",
  "tax_number" text collate "C",
  "vat_id" text collate "C",
  "is_vat_liable" boolean,
  "iban" text collate "C",
  "bic" text collate "C",
  "account_holder" text collate "C",
  "representative_name" text collate "C",
  "contact_name" text collate "C",
  "contact_phone" text collate "C",
  "contact_email" text collate "C",
  "statement_interval" text collate "C",
  "payout_day" integer,
  "valid_from" date,
  "valid_to" date,
  "is_active" boolean not null,
  "created_at" timestamptz not null,
  "changed_at" timestamptz not null,
  "city" text collate "C",
  "postal_code" text collate "C",
  primary key ("owner_id")
);

create unique index if not exists "ix_owner_owner_number" on "customer_example"."owner" ("owner_number");

create unique index if not exists "ix_owner_person_id" on "customer_example"."owner" ("person_id");

create index if not exists "ix_owner_owner_type" on "customer_example"."owner" ("owner_type", "owner_id");

create index if not exists "ix_owner_is_active" on "customer_example"."owner" ("is_active", "owner_id");

create index if not exists "ix_owner_city" on "customer_example"."owner" ("city", "owner_id");

create index if not exists "ix_owner_postal_code" on "customer_example"."owner" ("postal_code", "owner_id");

-- published as
-- select
--   wh."owner_hdr_id" as "owner_id",
--   wh."owner_no" as "owner_number",
--   wh."person_id" as "person_id",
--   COALESCE(pe.company_name, NULLIF(substr(COALESCE(' ' || pe.title, '') || COALESCE(' ' || pe.first_name, '') || COALESCE(' ' || pe.last_name, ''), 2), '')) as "name",
--   NULLIF(substr(COALESCE(' ' || pe.street, '') || COALESCE(' ' || pe.house_no, ''), 2), '') as "entrance",
--   NULLIF(substr(COALESCE(', ' || pe.postal_code, '') || COALESCE(', ' || pe.city, ''), 3), '') as "address",
--   pe.country_code as "country_code",
--   pe.email as "email",
--   pe.phone as "phone",
--   wh."owner_type_key" as "owner_type",
--   wh."tax_number" as "tax_number",
--   wh."vat_id" as "vat_id",
--   wh."is_vat_liable" as "is_vat_liable",
--   wh."iban" as "iban",
--   wh."bic" as "bic",
--   wh."account_holder" as "account_holder",
--   wh."representative_name" as "representative_name",
--   wh."contact_name" as "contact_name",
--   wh."contact_phone" as "contact_phone",
--   wh."contact_email" as "contact_email",
--   wh."statement_interval_key" as "statement_interval",
--   wh."payout_day" as "payout_day",
--   case when isfinite(wh."valid_from") then wh."valid_from" end as "valid_from",
--   case when isfinite(wh."valid_to") then wh."valid_to" end as "valid_to",
--   wh."is_active" as "is_active",
--   case when isfinite(wh."created_at") then wh."created_at" end as "created_at",
--   case when isfinite(wh."changed_at") then wh."changed_at" end as "changed_at",
--   pe.city as "city",
--   pe.postal_code as "postal_code"
-- from "customer_example"."owner_hdr" wh
-- left join "customer_example"."person" pe on pe."person_id" = wh.person_id

create table "customer_example"."tenants" (
  "tenant_id" integer not null,
  "account_id" integer not null,
  "account_number" text collate "C",
  "contract_number" text collate "C" not null,
  "person_id" integer not null,
  "property_id" integer not null,
  "floor_area_id" text collate "C" not null,
  "name" text collate "C" not null,
  "co_tenant_name" text collate "C",
  "salutation" text collate "C",
  "entrance" text collate "C",
  "address" text collate "C",
  "email" text collate "C",
  "phone" text collate "C",
  "mobile" text collate "C",
  "tenant_type" text collate "C" not null,
  "status" text collate "C" not null,
  "contract_date" date,
  "contract_start_date" date not null,
  "contract_end_date" date,
  "move_in_date" date,
  "move_out_date" date,
  "fixed_term_end_date" date,
  "notice_period_months" integer,
  "deposit_type" text collate "C",
  "deposit_amount" numeric(12,2),
  "deposit_paid_amount" numeric(12,2),
  "payment_method" text collate "C",
  "mandate_reference" text collate "C",
  "iban" text collate "C",
  "dunning_level" integer,
  "dunning_blocked" boolean,
  "is_vat_liable" boolean,
  "balance" numeric(14,2) not null,
  "changed_at" timestamptz not null,
  "city" text collate "C",
  "postal_code" text collate "C",
  primary key ("tenant_id")
);

create unique index if not exists "ix_tenants_account_id" on "customer_example"."tenants" ("account_id");

create unique index if not exists "ix_tenants_contract_number" on "customer_example"."tenants" ("contract_number");

create index if not exists "ix_tenants_person_id" on "customer_example"."tenants" ("person_id", "tenant_id");

create index if not exists "ix_tenants_property_id" on "customer_example"."tenants" ("property_id", "tenant_id");

create index if not exists "ix_tenants_floor_area_id" on "customer_example"."tenants" ("floor_area_id", "tenant_id");

create index if not exists "ix_tenants_tenant_type" on "customer_example"."tenants" ("tenant_type", "tenant_id");

create index if not exists "ix_tenants_status" on "customer_example"."tenants" ("status", "tenant_id");

create index if not exists "ix_tenants_payment_method" on "customer_example"."tenants" ("payment_method", "tenant_id");

create index if not exists "ix_tenants_dunning_level" on "customer_example"."tenants" ("dunning_level", "tenant_id");

create index if not exists "ix_tenants_city" on "customer_example"."tenants" ("city", "tenant_id");

create index if not exists "ix_tenants_postal_code" on "customer_example"."tenants" ("postal_code", "tenant_id");

-- published as
-- select
--   tn."tenancy_hdr_id" as "tenant_id",
--   tn."account_id" as "account_id",
--   ac.account_number as "account_number",
--   tn."contract_number" as "contract_number",
--   tn."person_id" as "person_id",
--   tn."property_id" as "property_id",
--   tn."floor_area_id" as "floor_area_id",
--   COALESCE(pe.company_name, NULLIF(substr(COALESCE(' ' || pe.title, '') || COALESCE(' ' || pe.first_name, '') || COALESCE(' ' || pe.last_name, ''), 2), '')) as "name",
--   tn."co_tenant_name" as "co_tenant_name",
--   pe.salutation as "salutation",
--   NULLIF(substr(COALESCE(' ' || pe.street, '') || COALESCE(' ' || pe.house_no, ''), 2), '') as "entrance",
--   NULLIF(substr(COALESCE(', ' || pe.postal_code, '') || COALESCE(', ' || pe.city, ''), 3), '') as "address",
--   pe.email as "email",
--   pe.phone as "phone",
--   pe.mobile as "mobile",
--   tn."tenant_type_key" as "tenant_type",
--   tn."status_key" as "status",
--   case when isfinite(tn."contract_date") then tn."contract_date" end as "contract_date",
--   case when isfinite(tn."contract_start_date") then tn."contract_start_date" end as "contract_start_date",
--   case when isfinite(tn."contract_end_date") then tn."contract_end_date" end as "contract_end_date",
--   case when isfinite(tn."move_in_date") then tn."move_in_date" end as "move_in_date",
--   case when isfinite(tn."move_out_date") then tn."move_out_date" end as "move_out_date",
--   case when isfinite(tn."fixed_term_end_date") then tn."fixed_term_end_date" end as "fixed_term_end_date",
--   tn."notice_period_months" as "notice_period_months",
--   tn."deposit_type_key" as "deposit_type",
--   nullif(tn."deposit_amount", 'NaN') as "deposit_amount",
--   nullif(tn."deposit_paid_amount", 'NaN') as "deposit_paid_amount",
--   tn."payment_method_key" as "payment_method",
--   tn."mandate_reference" as "mandate_reference",
--   tn."iban" as "iban",
--   tn."dunning_level" as "dunning_level",
--   tn."dunning_blocked" as "dunning_blocked",
--   tn."is_vat_liable" as "is_vat_liable",
--   nullif(tn."balance", 'NaN') as "balance",
--   case when isfinite(tn."changed_at") then tn."changed_at" end as "changed_at",
--   pe.city as "city",
--   pe.postal_code as "postal_code"
-- from "customer_example"."tenancy_hdr" tn
-- left join "customer_example"."person" pe on pe."person_id" = tn.person_id
-- left join "customer_example"."account" ac on ac."account_id" = tn.account_id
